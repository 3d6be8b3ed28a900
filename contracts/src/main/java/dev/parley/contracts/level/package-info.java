/** The levels of the kit: each contract test belongs to one, by which it can be chosen and by which it is reported. */
@NullMarked
package dev.parley.contracts.level;

import org.jspecify.annotations.NullMarked;
