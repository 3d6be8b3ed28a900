/** What keeps conversations alive across restarts: crash marking, stuck-loop counting, who is resumed. */
@NullMarked
package dev.parley.application.recovery;

import org.jspecify.annotations.NullMarked;
