/**
 * Stand-ins for what a gateway needs from outside, for tests: what was sent, told and noted can be looked at, and failures come
 * when they are asked for. Clock, timers, ids and scripted agents are in {@code dev.parley.application.replay}.
 */
@NullMarked
package dev.parley.contracts.testing;

import org.jspecify.annotations.NullMarked;
