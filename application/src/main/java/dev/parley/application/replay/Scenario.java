package dev.parley.application.replay;

import dev.parley.application.gateway.StopMode;
import dev.parley.application.port.Received;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.source.Platform;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What happens to a gateway, step by step.
 *
 * @param begin where the clock stands before the first step
 * @param platforms the platforms there are
 * @param steps the steps; their times never go back
 */
public record Scenario(Instant begin, Set<Platform> platforms, List<Step> steps) {
    public Scenario {
        platforms = Set.copyOf(platforms);
        steps = List.copyOf(steps);
    }

    /**
     * Something that happens at an instant; everything due up to it and at it happens first.
     *
     * @param at when
     * @param action what happens
     */
    public record Step(Instant at, Action action) {}

    /** What can happen. */
    public sealed interface Action {
        /**
         * Somebody writes; starts the gateway where it is down.
         *
         * @param message the message
         */
        record Say(Received message) implements Action {}

        /** Nothing but the passing of time. */
        record Pass() implements Action {}

        /**
         * The agent's next turn is scripted.
         *
         * @param turn the turn
         */
        record Script(ScriptedTurn turn) implements Action {}

        /**
         * The agent's next summary is scripted.
         *
         * @param summary the summary; absent for one that fails
         * @param takes how long the agent takes for it
         */
        record Summary(Optional<String> summary, Duration takes) implements Action {}

        /**
         * The model's context is of another size from now on.
         *
         * @param contextLength its size in tokens; 0 for unknown
         */
        record Model(long contextLength) implements Action {}

        /**
         * An operator holds new turns back, or no more.
         *
         * @param held whether they are held back
         */
        record Hold(boolean held) implements Action {}

        /** The gateway is started; does nothing where it runs. Where it is stopping, it is started once it has stopped. */
        record Start() implements Action {}

        /**
         * The gateway is asked to stop; after a restart it is started again at once. A gateway that is down is started by a
         * restart and left alone by a shutdown.
         *
         * @param mode why
         */
        record Stop(StopMode mode) implements Action {}

        /** The gateway's process dies. */
        record Crash() implements Action {}

        /**
         * A lane's background processes change.
         *
         * @param lane the lane
         * @param startedAt when each was started; empty where they have ended
         */
        record Processes(SessionKey lane, List<Instant> startedAt) implements Action {
            public Processes {
                startedAt = List.copyOf(startedAt);
            }
        }

        /**
         * The primary store fails or returns.
         *
         * @param state how it behaves from now on
         */
        record Store(SwitchableStorage.State state) implements Action {}

        /**
         * A platform becomes able to send.
         *
         * @param platform the platform
         */
        record Connect(Platform platform) implements Action {}

        /**
         * A platform is not able to send now.
         *
         * @param platform the platform
         */
        record Disconnect(Platform platform) implements Action {}

        /**
         * The gateway is configured anew from its next start on.
         *
         * @param settings the configuration
         */
        record Configure(ReplaySettings settings) implements Action {}
    }
}
