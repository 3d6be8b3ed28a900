/** Files that come with messages and files that agents send, kept in the home. */
@NullMarked
package dev.parley.bootstrap.media;

import org.jspecify.annotations.NullMarked;
