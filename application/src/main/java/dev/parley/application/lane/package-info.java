/**
 * What happens on one lane. {@link dev.parley.application.lane.LaneActor} is the shell: it reads, has a decider decide, commits, then
 * applies. {@link dev.parley.application.lane.LaneState} is what it knows; the deciders change nothing and do not know each other; what
 * one has to look up it asks of {@link dev.parley.application.lane.LaneReading}.
 */
@NullMarked
package dev.parley.application.lane;

import org.jspecify.annotations.NullMarked;
