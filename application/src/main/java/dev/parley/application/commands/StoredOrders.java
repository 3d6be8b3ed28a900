package dev.parley.application.commands;

import dev.parley.application.actor.BatchWriter;
import dev.parley.application.actor.Writers;
import dev.parley.application.command.CommandContext;
import dev.parley.application.command.CommandOutcome;
import dev.parley.application.command.CommandRequest;
import dev.parley.application.command.LaneView;
import dev.parley.application.command.Stores;
import dev.parley.application.command.Surroundings;
import dev.parley.application.port.Agent;
import dev.parley.application.port.AgentFactory;
import dev.parley.application.port.AgentSpec;
import dev.parley.application.port.Ids;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.settings.Chat;
import dev.parley.application.spi.Storage;
import dev.parley.application.store.LaneReader;
import dev.parley.domain.change.CommitResult;
import dev.parley.domain.change.Precondition;
import dev.parley.domain.change.StoredTime;
import dev.parley.domain.key.KeyRules;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.Lane;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.SessionSource;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Follows what an operator orders of a lane in a store in which no gateway works, so that nothing runs there. Not for use beside a gateway:
 * whoever uses it has the home to itself.
 */
public final class StoredOrders {
    private static final int ATTEMPTS = 3;

    private final Storage storage;
    private final LaneReader reader;
    private final InstantSource clock;
    private final Surroundings around;
    private final Writers writers;

    /**
     * Follows orders in a store.
     *
     * @param reader gathers what a decision about a lane stands on
     * @param rules how lanes are told apart
     * @param settings what may be done in a chat
     * @param clock the clock
     * @param zone the zone of ids of sessions
     * @param ids makes ids
     */
    public StoredOrders(
            Storage storage,
            LaneReader reader,
            KeyRules rules,
            Chat settings,
            InstantSource clock,
            ZoneId zone,
            Ids ids) {
        this.storage = storage;
        this.reader = reader;
        this.clock = clock;
        this.around = new Surroundings(zone, rules, ids, new NoAgents(), settings, List.of(), List.of(), false);
        this.writers = new Writers(ids);
    }

    /**
     * Follows an order; durable when it returns.
     *
     * @return whether something was done; false for an unknown lane
     * @throws StorageUnavailable where others change the lane each time
     */
    public boolean follow(SessionKey key, Function<CommandContext, Optional<CommandOutcome>> order) {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            Optional<Lane> lane = storage.lanes().find(key);
            Optional<CommandOutcome> outcome = lane.flatMap(found -> order.apply(context(found)));
            if (outcome.isEmpty() || commits(lane.orElseThrow(), outcome.get())) {
                return outcome.isPresent();
            }
        }
        throw new StorageUnavailable(
                "The lane " + key + " was changed by others each time it was to be changed; try again.", null);
    }

    private CommandContext context(Lane lane) {
        SessionSource by = lane.entry()
                .origin()
                .orElseGet(
                        () -> SessionSource.builder(Platform.LOCAL, "operator").build());
        return new CommandContext(
                new CommandRequest(by, "", "", List.of(), false, StoredTime.now(clock)),
                new LaneView(lane.key(), Optional.of(lane), Optional.empty(), false, 0, List.of()),
                new Stores(storage, reader),
                around);
    }

    private boolean commits(Lane lane, CommandOutcome outcome) {
        List<Precondition> require = new ArrayList<>(outcome.preconditions());
        require.add(new Precondition.LaneEpoch(lane.key(), lane.epoch()));
        BatchWriter writer = writers.lend();
        CommitResult result = storage.ledger().commit(writer.next(require, outcome.changes()));
        writers.giveBack(writer);
        return result.isCommitted();
    }

    /** Orders are decided without agents. */
    private static final class NoAgents implements AgentFactory {
        @Override
        public String signature(AgentSpec spec) {
            return "";
        }

        @Override
        public Agent create(AgentSpec spec) {
            throw new IllegalStateException("No agent works where no gateway does.");
        }

        @Override
        public String model(AgentSpec spec) {
            return "";
        }

        @Override
        public long contextLength(AgentSpec spec) {
            return 0;
        }
    }
}
