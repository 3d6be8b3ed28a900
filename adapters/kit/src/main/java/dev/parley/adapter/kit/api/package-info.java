/**
 * Calls of a platform's API that tell what was not sent from what is not known.
 *
 * <p>Not part of the API: it may change with any version.
 */
@NullMarked
package dev.parley.adapter.kit.api;

import org.jspecify.annotations.NullMarked;
