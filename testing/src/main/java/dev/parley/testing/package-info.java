/**
 * A gateway in a test, {@link dev.parley.testing.TestGateway}, and the stand-ins it is made of: what was sent, told and noted can be looked
 * at, and failures come when they are asked for. Clock, timers, ids and scripted agents are in {@code dev.parley.application.replay}.
 */
@NullMarked
package dev.parley.testing;

import org.jspecify.annotations.NullMarked;
