package dev.parley.application.lane;

import dev.parley.application.guard.TimedCalls;

/**
 * What the lanes of one gateway have in common; each part of a lane is given those that it uses. Safe for concurrent use.
 *
 * @param host the gateway around them
 * @param reading reads what they decide on
 * @param commanding recognises commands and has them decide
 * @param agents has agents work
 * @param outlets where effects go
 * @param calls ask plug-ins what lanes wait for
 */
public record LaneServices(
        LaneHost host,
        LaneReading reading,
        Commanding commanding,
        LaneAgents agents,
        Outlets outlets,
        TimedCalls calls) {}
