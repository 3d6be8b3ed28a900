/** What the gateway sends, on its way to Telegram. */
@NullMarked
package dev.parley.adapter.telegram.outbound;

import org.jspecify.annotations.NullMarked;
