/**
 * What happens on one lane: a decision, a commit, and effects. To be read in this order:
 *
 * <ol>
 *   <li>{@link dev.parley.application.lane.LaneInput} is what comes in, {@code LaneState} what is known of a lane,
 *       with a {@code TurnSlot} for what it works on; a {@code LaneStep} is a decision, and {@code Effect} what follows it.
 *   <li>{@code Admitting}, {@code BusyPolicy}, {@code Claiming}, {@code CommandSteps}, {@code Reporting}, {@code TurnEnding}, {@code Draining},
 *       {@code EventDecider}, {@code Posting} and {@code Withdrawing} decide. They are pure and do not know each other. {@code Arrivals}, {@code
 *       CommandRuns} and {@code NextItem} gather the facts for them, of {@link dev.parley.application.lane.LaneReading} and of plug-ins.
 *   <li>{@code DecidingActor} commits a decision, says what a lost race means, and applies; {@link dev.parley.application.lane.LaneActor} hands
 *       inputs and effects to the parts of the lane.
 *   <li>Those parts are {@code Intake} and {@code Acceptance}, {@code NextDriver}, {@code TurnDriver}, {@code SummaryDriver}, {@code Orders},
 *       {@code Senders} and {@code OutsideEffects}; {@code Takeover} and {@code PostedMessages} where several gateways share a store; {@code
 *       LaneFaults} where something fails.
 * </ol>
 */
@NullMarked
package dev.parley.application.lane;

import org.jspecify.annotations.NullMarked;
