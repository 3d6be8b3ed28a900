package dev.parley.application.port;

import dev.parley.domain.source.Platform;
import dev.parley.domain.turn.LifeId;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/**
 * How a gateway is. Immutable.
 *
 * @param state how it is in a word
 * @param starvedSince since when the gateway's executor runs no task; absent while it does
 * @param storage where the storage is; absent where that is not known yet
 * @param degraded how the storage goes on with its fallback; absent while it is whole
 * @param refusing why no message is taken, one line; absent where they are, or where that is not known
 * @param part its part among the gateways that share the store; absent for one that is alone
 * @param held whether an operator holds new turns back
 * @param running on how many lanes a turn runs
 * @param awaitingPlace how many lanes wait for a place
 * @param agents how many agents are kept
 * @param connected the platforms that are able to send, by name
 */
public record GatewayHealth(
        State state,
        Optional<Instant> starvedSince,
        Optional<String> storage,
        Optional<Degraded> degraded,
        Optional<String> refusing,
        Optional<Part> part,
        boolean held,
        int running,
        int awaitingPlace,
        int agents,
        List<Platform> connected) {
    /** Why a starved gateway's tasks do not get on. */
    public static final String STARVED_BECAUSE =
            "agents or plug-ins that block have all threads of the gateway's executor";

    public GatewayHealth {
        connected = List.copyOf(connected);
    }

    /** How a gateway is in a word. */
    public enum State {
        /** Everything works. */
        OK,
        /** The storage cannot be used; messages are taken and kept beside it. */
        DEGRADED,
        /** What the process before left is being set right. */
        STARTING,
        /** Running turns end, and nothing begins. */
        DRAINING,
        /** Agents or plug-ins that block have all threads. */
        STARVED,
        /** Neither the storage nor its fallback takes a message, or other nodes may work on the lanes. */
        REFUSING;

        /** Returns the word, as health checks and pages show it. */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }

        /** Returns whether messages are taken. */
        public boolean takesMessages() {
            return this == OK || this == DEGRADED;
        }
    }

    /**
     * How a storage goes on with its fallback.
     *
     * @param since since when
     * @param why the latest reason why the storage itself cannot be used, one line
     * @param waiting how many batches wait to be merged back; empty where that cannot be told now
     * @param merged how many of them the merge under way has merged back; empty where none is under way
     */
    public record Degraded(Instant since, String why, OptionalLong waiting, OptionalLong merged) {}

    /**
     * A gateway's part among those that share a store.
     *
     * @param life its present life; absent before it has one
     * @param leased whether it may work on lanes
     */
    public record Part(Optional<LifeId> life, boolean leased) {}

    /** Returns a health of which nothing else is known. */
    public static GatewayHealth of(State state) {
        return new Builder(state).build();
    }

    /** Returns a builder of a health in which nothing goes on. */
    public static Builder builder(State state) {
        return new Builder(state);
    }

    /**
     * Returns what an operator may want to know beside the word, by name and in order, such as {@code degraded_because} or
     * {@code running}; times as UTC.
     */
    public Map<String, String> facts() {
        Map<String, String> facts = new LinkedHashMap<>();
        starvedSince.ifPresent(since -> {
            facts.put("starved_since", since.toString());
            facts.put("starved_because", STARVED_BECAUSE);
        });
        storage.ifPresent(where -> facts.put("storage", where));
        degraded.ifPresent(how -> {
            facts.put("degraded_since", how.since().toString());
            facts.put("degraded_because", how.why());
            how.waiting().ifPresent(waiting -> facts.put("spilled_batches", Long.toString(waiting)));
            how.merged().ifPresent(merged -> facts.put("merged_batches", Long.toString(merged)));
        });
        refusing.ifPresent(why -> facts.put("refusing_because", why));
        part.ifPresent(mine -> {
            facts.put("role", "node");
            mine.life().ifPresent(life -> facts.put("life", life.value()));
            facts.put("lease", mine.leased() ? "held" : "lost");
        });
        if (held) {
            facts.put("held", "new turns wait until an operator releases them");
        }
        facts.put("running", Integer.toString(running));
        if (awaitingPlace > 0) {
            facts.put("awaiting_place", Integer.toString(awaitingPlace));
        }
        facts.put("agents", Integer.toString(agents));
        facts.put("connected", connected.stream().map(Platform::name).collect(Collectors.joining(", ")));
        return Collections.unmodifiableMap(facts);
    }

    /** Returns all of it by name: the word as {@code status}, then the {@link #facts} in order. */
    public Map<String, String> rows() {
        Map<String, String> rows = new LinkedHashMap<>();
        rows.put("status", state.word());
        rows.putAll(facts());
        return rows;
    }

    /** Builds a health; what is not set is absent, or zero. */
    public static final class Builder {
        private final State state;
        private Optional<Instant> starvedSince = Optional.empty();
        private Optional<String> storage = Optional.empty();
        private Optional<Degraded> degraded = Optional.empty();
        private Optional<String> refusing = Optional.empty();
        private Optional<Part> part = Optional.empty();
        private boolean held;
        private int running;
        private int awaitingPlace;
        private int agents;
        private List<Platform> connected = List.of();

        private Builder(State state) {
            this.state = state;
        }

        /** Sets since when no task runs. */
        public Builder starvedSince(Optional<Instant> value) {
            starvedSince = value;
            return this;
        }

        /** Sets where the storage is. */
        public Builder storage(String value) {
            storage = Optional.of(value);
            return this;
        }

        /** Sets how the storage goes on with its fallback. */
        public Builder degraded(Optional<Degraded> value) {
            degraded = value;
            return this;
        }

        /** Sets why no message is taken. */
        public Builder refusing(Optional<String> value) {
            refusing = value;
            return this;
        }

        /** Sets its part among others. */
        public Builder part(Optional<Part> value) {
            part = value;
            return this;
        }

        /** Sets whether new turns are held back. */
        public Builder held(boolean value) {
            held = value;
            return this;
        }

        /** Sets on how many lanes a turn runs. */
        public Builder running(int value) {
            running = value;
            return this;
        }

        /** Sets how many lanes wait for a place. */
        public Builder awaitingPlace(int value) {
            awaitingPlace = value;
            return this;
        }

        /** Sets how many agents are kept. */
        public Builder agents(int value) {
            agents = value;
            return this;
        }

        /** Sets which platforms are able to send. */
        public Builder connected(List<Platform> value) {
            connected = value;
            return this;
        }

        /** Returns the health. */
        public GatewayHealth build() {
            return new GatewayHealth(
                    state,
                    starvedSince,
                    storage,
                    degraded,
                    refusing,
                    part,
                    held,
                    running,
                    awaitingPlace,
                    agents,
                    connected);
        }
    }
}
