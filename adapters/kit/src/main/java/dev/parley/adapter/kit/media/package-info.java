/** Fetches the files that come with messages. */
@NullMarked
package dev.parley.adapter.kit.media;

import org.jspecify.annotations.NullMarked;
