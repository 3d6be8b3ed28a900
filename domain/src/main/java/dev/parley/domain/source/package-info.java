/** Where a message came from: platform, chat, user, thread, and the dictionary form in which that is stored. */
@NullMarked
package dev.parley.domain.source;

import org.jspecify.annotations.NullMarked;
