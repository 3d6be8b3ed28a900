package dev.parley.application.lane;

import dev.parley.domain.session.ResumeReason;

/**
 * What a lane needs to know of a stop of the gateway.
 *
 * @param banner what people are told whose turn is running (P7.37)
 * @param interrupt what an agent is told that the stop interrupts (P7.42)
 * @param queued what people are told who write during the drain; their message is kept (D14)
 * @param reason with which reason a turn is marked that is cut off (P7.40)
 */
public record Stopping(String banner, String interrupt, String queued, ResumeReason reason) {}
