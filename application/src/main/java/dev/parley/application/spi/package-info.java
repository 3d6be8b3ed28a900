/** How storage backends, platforms, agents and what extends a gateway are found: each is a service, so that a jar beside ours is enough. */
@NullMarked
package dev.parley.application.spi;

import org.jspecify.annotations.NullMarked;
