/** A network that fails as planned, between any client and any server. */
@NullMarked
package dev.parley.fakes.network;

import org.jspecify.annotations.NullMarked;
