/** A signal-cli daemon with people's side. */
@NullMarked
package dev.parley.fakes.signal;

import org.jspecify.annotations.NullMarked;
