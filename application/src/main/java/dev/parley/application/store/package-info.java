/** The sessions of the lanes: which session a message belongs to, and every operation that changes that. */
@NullMarked
package dev.parley.application.store;

import org.jspecify.annotations.NullMarked;
