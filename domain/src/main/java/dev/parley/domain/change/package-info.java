/** The one way anything is stored: changes, the preconditions they stand on, and the batch that is committed all or nothing. */
@NullMarked
package dev.parley.domain.change;

import org.jspecify.annotations.NullMarked;
