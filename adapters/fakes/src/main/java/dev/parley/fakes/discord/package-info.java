/** Discord on loopback, for tests. */
@NullMarked
package dev.parley.fakes.discord;

import org.jspecify.annotations.NullMarked;
