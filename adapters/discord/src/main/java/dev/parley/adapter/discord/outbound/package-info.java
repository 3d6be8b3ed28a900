/** What the bot shows in Discord. */
@NullMarked
package dev.parley.adapter.discord.outbound;

import org.jspecify.annotations.NullMarked;
