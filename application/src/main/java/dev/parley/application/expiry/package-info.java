/** What happens to sessions, agents and lanes that nobody uses any more. */
@NullMarked
package dev.parley.application.expiry;

import org.jspecify.annotations.NullMarked;
