/** Sessions and the lanes that point at them: identifiers, entries with their state, and the decision which session a message belongs to. */
@NullMarked
package dev.parley.domain.session;

import org.jspecify.annotations.NullMarked;
