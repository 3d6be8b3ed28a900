/** A Telegram bot as a platform. */
@NullMarked
package dev.parley.adapter.telegram;

import org.jspecify.annotations.NullMarked;
