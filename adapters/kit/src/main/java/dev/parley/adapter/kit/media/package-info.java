/**
 * Fetches the files that come with messages.
 *
 * <p>Not part of the API: it may change with any version.
 */
@NullMarked
package dev.parley.adapter.kit.media;

import org.jspecify.annotations.NullMarked;
