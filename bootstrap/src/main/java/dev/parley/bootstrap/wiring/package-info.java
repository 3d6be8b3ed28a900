/** Wiring: which backends, agents and platforms there are, and how a gateway is put together from them. */
@NullMarked
package dev.parley.bootstrap.wiring;

import org.jspecify.annotations.NullMarked;
