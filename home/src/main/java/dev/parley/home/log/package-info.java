/**
 * What a gateway does, as lines of whichever log there is.
 *
 * <p>Not part of the API: it may change with any version.
 */
@NullMarked
package dev.parley.home.log;

import org.jspecify.annotations.NullMarked;
