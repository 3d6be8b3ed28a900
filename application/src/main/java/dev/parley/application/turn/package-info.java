/** How a claimed turn is run: what its agent is given, what it reports, and how long it may do nothing. */
@NullMarked
package dev.parley.application.turn;

import org.jspecify.annotations.NullMarked;
