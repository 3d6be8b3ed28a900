/** Tokens and cost of a session. */
@NullMarked
package dev.parley.domain.usage;

import org.jspecify.annotations.NullMarked;
