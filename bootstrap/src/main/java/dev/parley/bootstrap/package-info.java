/** The program: what {@code ./parley} starts. */
@NullMarked
package dev.parley.bootstrap;

import org.jspecify.annotations.NullMarked;
