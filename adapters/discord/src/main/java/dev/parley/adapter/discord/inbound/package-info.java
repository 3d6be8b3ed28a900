/** What people write in Discord, handed to the gateway. */
@NullMarked
package dev.parley.adapter.discord.inbound;

import org.jspecify.annotations.NullMarked;
