/** Scenarios as files: reading them, printing what comes of them, comparing it with what was expected. */
@NullMarked
package dev.parley.bootstrap.replay;

import org.jspecify.annotations.NullMarked;
