/** The reference store, in memory: what every other store must do, in the plainest form that does it. */
@NullMarked
package dev.parley.testing.memory;

import org.jspecify.annotations.NullMarked;
