/** Sends what the gateway says. */
@NullMarked
package dev.parley.adapter.matrix.outbound;

import org.jspecify.annotations.NullMarked;
