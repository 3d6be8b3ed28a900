/**
 * What happens to sessions, agents and lanes that nobody uses any more.
 *
 * <p>Not part of the API: it may change with any version.
 */
@NullMarked
package dev.parley.application.expiry;

import org.jspecify.annotations.NullMarked;
