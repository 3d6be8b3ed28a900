/** Files that come with messages and files that agents send, kept in the home. */
@NullMarked
package dev.parley.home.media;

import org.jspecify.annotations.NullMarked;
