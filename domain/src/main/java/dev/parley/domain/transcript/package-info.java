/** What was said in a session: messages with their content, tool calls and reasoning, and the rules for replaying them. */
@NullMarked
package dev.parley.domain.transcript;

import org.jspecify.annotations.NullMarked;
