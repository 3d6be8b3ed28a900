/** Reads what happens in rooms, and hands it to the gateway. */
@NullMarked
package dev.parley.adapter.matrix.inbound;

import org.jspecify.annotations.NullMarked;
