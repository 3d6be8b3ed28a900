/** Telegram's Bot API as a server of its own. */
@NullMarked
package dev.parley.fakes.telegram;

import org.jspecify.annotations.NullMarked;
