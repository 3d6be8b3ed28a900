/** What was received, run and sent: inbound messages, turns of the agent and outgoing messages, each as a durable record. */
@NullMarked
package dev.parley.domain.turn;

import org.jspecify.annotations.NullMarked;
