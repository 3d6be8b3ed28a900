/** Discord's API as far as the platform calls it. */
@NullMarked
package dev.parley.adapter.discord.api;

import org.jspecify.annotations.NullMarked;
