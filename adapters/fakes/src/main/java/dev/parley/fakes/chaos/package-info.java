/** Tries a gateway as a program: it is killed, stopped, and kept from its storage among people who talk, and has to keep what it acknowledged. */
@NullMarked
package dev.parley.fakes.chaos;

import org.jspecify.annotations.NullMarked;
