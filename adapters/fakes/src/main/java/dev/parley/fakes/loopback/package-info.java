/** The servers behind the fakes. */
@NullMarked
package dev.parley.fakes.loopback;

import org.jspecify.annotations.NullMarked;
