/** The platform {@code webhook}: receives messages over HTTP and shows an operator what the gateway does. */
@NullMarked
package dev.parley.adapter.http.server;

import org.jspecify.annotations.NullMarked;
