/** The platform {@code local}: a conversation in the terminal. */
@NullMarked
package dev.parley.adapter.terminal;

import org.jspecify.annotations.NullMarked;
