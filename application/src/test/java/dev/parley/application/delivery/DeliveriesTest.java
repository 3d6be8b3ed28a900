package dev.parley.application.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.actor.ActorHost;
import dev.parley.application.actor.Timing;
import dev.parley.application.actor.Writers;
import dev.parley.application.nodes.Membership;
import dev.parley.application.port.GatewayEvents;
import dev.parley.application.port.Meta;
import dev.parley.application.replay.SeededIds;
import dev.parley.application.settings.Delivery;
import dev.parley.application.settings.GatewaySettings;
import dev.parley.domain.change.CommitResult;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.source.CursorName;
import dev.parley.domain.source.Platform;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.OutgoingId;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class DeliveriesTest {
    private static final Platform AWAY = Platform.TELEGRAM;
    private static final Chat CHAT = new Chat(AWAY, "7");

    private final Deque<Runnable> given = new ArrayDeque<>();
    private final Timing timing =
            new Timing(InstantSource.fixed(Instant.EPOCH), (delay, task) -> () -> {}, new SeededIds(1));
    private final ActorHost host = new ActorHost(
            given::add,
            batch -> new CommitResult.Committed(),
            new Writers(timing.ids()),
            timing,
            GatewayEvents.NONE,
            () -> false);
    private final Connections connections = new Connections(List.of());
    private final TurnShows shows = new TurnShows(host, connections, new NothingKept(), GatewaySettings.DEFAULT);
    private final Deliveries deliveries =
            new Deliveries(host, connections, Delivery.DEFAULT, shows, Membership.alone(), new Nobody());

    private static Outgoing answer(String id) {
        return new Outgoing(
                new OutgoingId(id),
                Optional.empty(),
                AWAY,
                "7",
                Optional.empty(),
                "Yes.",
                Outgoing.Kind.REPLY,
                Instant.EPOCH,
                Optional.empty(),
                Outgoing.State.PENDING,
                0);
    }

    private void run() {
        while (!given.isEmpty()) {
            given.poll().run();
        }
    }

    @Test
    void aMessageWaitsForItsChatFromTheMomentAtWhichItIsHandedOver() {
        deliveries.add(answer("o1"));
        assertThat(shows.backlog().isEmpty(CHAT))
                .as("before its outbox comes to it")
                .isFalse();
        run();
        assertThat(shows.backlog().isEmpty(CHAT))
                .as("while its platform is away")
                .isFalse();
    }

    @Test
    void aMessageThatIsHandedOverTwiceWaitsOnce() {
        deliveries.add(answer("o1"));
        deliveries.add(answer("o1"));
        deliveries.addMissed(() -> List.of(answer("o1")), List::of);
        run();
        assertThat(shows.backlog().isEmpty(CHAT)).isFalse();
        deliveries.giveUp(answer("o1"), new CompletableFuture<>());
        run();
        assertThat(shows.backlog().isEmpty(CHAT)).isTrue();
    }

    private static final class Nobody implements DeliveryListener {
        @Override
        public void changed() {}

        @Override
        public void unused(SessionKey lane) {}
    }

    private static final class NothingKept implements Meta {
        @Override
        public Optional<String> get(String key) {
            return Optional.empty();
        }

        @Override
        public Map<String, String> all() {
            return Map.of();
        }

        @Override
        public Optional<String> cursor(CursorName name) {
            return Optional.empty();
        }

        @Override
        public Map<CursorName, String> cursors() {
            return Map.of();
        }
    }
}
