/** How people who are on no list are let in: they get a code, and the operator approves it. */
@NullMarked
package dev.parley.bootstrap.pairing;

import org.jspecify.annotations.NullMarked;
