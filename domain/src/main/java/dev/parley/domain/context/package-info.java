/** What the agent is told about the conversation it is in, and what of that is hidden from it. */
@NullMarked
package dev.parley.domain.context;

import org.jspecify.annotations.NullMarked;
