/** A bot in Matrix. */
@NullMarked
package dev.parley.adapter.matrix;

import org.jspecify.annotations.NullMarked;
