/** A Discord bot. */
@NullMarked
package dev.parley.adapter.discord;

import org.jspecify.annotations.NullMarked;
