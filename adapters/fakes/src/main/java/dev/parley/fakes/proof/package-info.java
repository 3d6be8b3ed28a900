/** What is left of a run of a gateway that was killed, stopped and kept from its storage, and the proof that nothing of it is lost, doubled or out of order. */
@NullMarked
package dev.parley.fakes.proof;

import org.jspecify.annotations.NullMarked;
