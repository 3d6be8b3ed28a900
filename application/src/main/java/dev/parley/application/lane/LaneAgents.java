package dev.parley.application.lane;

import dev.parley.application.turn.MissingContext;
import dev.parley.application.turn.Prompts;
import dev.parley.application.turn.TurnPreparation;
import dev.parley.application.turn.TurnRunner;

/**
 * What has a lane's agents work. Safe for concurrent use.
 *
 * @param preparation reads what they are given
 * @param runner has them work
 * @param prompts writes the context prompt
 * @param missing remembers who was told that their conversation cannot be read for now
 */
public record LaneAgents(TurnPreparation preparation, TurnRunner runner, Prompts prompts, MissingContext missing) {}
