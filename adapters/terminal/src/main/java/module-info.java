import org.jspecify.annotations.NullMarked;

/** A conversation in the terminal. */
@NullMarked
module dev.parley.adapter.terminal {
    requires transitive dev.parley.application;
    requires jdk.unsupported; // JLine takes Ctrl-C with it, by reflection
    requires org.jline.reader;
    requires org.jline.terminal;
    requires static org.jspecify;

    exports dev.parley.adapter.terminal;

    provides dev.parley.application.spi.PlatformProvider with
            dev.parley.adapter.terminal.TerminalProvider;
}
