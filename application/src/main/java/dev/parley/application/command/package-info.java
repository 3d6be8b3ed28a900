/** Slash commands of chats, for those who write one: what a command decides on and what it wants done. */
@NullMarked
package dev.parley.application.command;

import org.jspecify.annotations.NullMarked;
