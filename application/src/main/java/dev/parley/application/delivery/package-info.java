/** How stored messages reach their chats: in order, tried again, and never held up by one that hangs. */
@NullMarked
package dev.parley.application.delivery;

import org.jspecify.annotations.NullMarked;
