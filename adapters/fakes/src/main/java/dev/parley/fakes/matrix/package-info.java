/** A Matrix homeserver for tests. */
@NullMarked
package dev.parley.fakes.matrix;

import org.jspecify.annotations.NullMarked;
