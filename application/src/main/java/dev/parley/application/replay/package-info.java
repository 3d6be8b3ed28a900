/** A gateway's surroundings without chance, threads or a wall clock, so that a run has the same outcome each time. */
@NullMarked
package dev.parley.application.replay;

import org.jspecify.annotations.NullMarked;
