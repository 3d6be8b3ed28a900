package dev.parley.bootstrap.cli;

import java.util.List;

/** A command that has commands below it. They are made only where the command line names this one: making all of them takes longer than most of them run. */
interface CommandParent {
    /** Returns new commands, in the order in which the help lists them. */
    List<Object> commands();
}
