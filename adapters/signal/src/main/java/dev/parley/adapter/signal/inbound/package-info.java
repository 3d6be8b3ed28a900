/** What people write, on its way to the gateway. */
@NullMarked
package dev.parley.adapter.signal.inbound;

import org.jspecify.annotations.NullMarked;
