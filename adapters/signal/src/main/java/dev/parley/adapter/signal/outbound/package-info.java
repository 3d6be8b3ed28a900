/** What the gateway sends, on its way to Signal. */
@NullMarked
package dev.parley.adapter.signal.outbound;

import org.jspecify.annotations.NullMarked;
