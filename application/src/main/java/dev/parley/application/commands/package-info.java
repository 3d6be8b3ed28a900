/** The chat commands on sessions and transcripts: titles, lists, going back, taking back, compressing, branching. */
@NullMarked
package dev.parley.application.commands;

import org.jspecify.annotations.NullMarked;
