/** The client-server API of a homeserver. */
@NullMarked
package dev.parley.adapter.matrix.api;

import org.jspecify.annotations.NullMarked;
