/** The command line: one class for each command, each calling one use case. */
@NullMarked
package dev.parley.bootstrap.cli;

import org.jspecify.annotations.NullMarked;
