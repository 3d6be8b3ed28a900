package dev.parley.application.gateway;

import dev.parley.application.actor.Timing;
import dev.parley.application.delivery.Deliveries;
import dev.parley.application.port.GatewayMarkers;
import dev.parley.application.port.GatewayOperations;
import dev.parley.application.port.InvalidRequest;
import dev.parley.application.spi.Storage;
import dev.parley.application.store.SessionEdits;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.turn.InboundId;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.OutgoingId;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * What an operator does to single things of a running gateway.
 *
 * @param storage the store
 * @param orders asks things of lanes
 * @param requests waits for answers
 * @param deliveries what goes out
 * @param markers where a hold is noted
 * @param hold looks at the markers now, and tells whether turns are held
 * @param timing time and chance
 */
record Operations(
        Storage storage,
        LaneOrders orders,
        Requests requests,
        Deliveries deliveries,
        GatewayMarkers markers,
        Consumer<CompletableFuture<Boolean>> hold,
        Timing timing)
        implements GatewayOperations {
    @Override
    public boolean resume(SessionKey lane, SessionId session, long epoch) {
        return orders.resume(lane, session, epoch);
    }

    @Override
    public boolean drop(SessionKey lane, InboundId message) {
        return orders.drop(lane, message);
    }

    @Override
    public boolean tryNow(OutgoingId message) {
        return undelivered(message)
                .map(found -> requests.ask(done -> deliveries.tryNow(found, done)))
                .orElse(false);
    }

    @Override
    public boolean giveUp(OutgoingId message) {
        return undelivered(message)
                .map(found -> requests.ask(done -> deliveries.giveUp(found, done)))
                .orElse(false);
    }

    private Optional<Outgoing> undelivered(OutgoingId id) {
        return storage.queue().undelivered().stream()
                .filter(message -> message.id().equals(id))
                .findFirst();
    }

    @Override
    public Edited title(SessionId session, String text) {
        return edits().title(session, text);
    }

    @Override
    public Edited end(SessionId session, String reason) {
        return edits().end(session, reason);
    }

    @Override
    public Edited reopen(SessionId session) {
        return edits().reopen(session);
    }

    @Override
    public Edited delete(SessionId session) {
        return edits().delete(session);
    }

    private SessionEdits edits() {
        return new SessionEdits(storage, timing.clock(), timing.ids());
    }

    @Override
    public boolean hold(boolean held) {
        if (!markers.hold(held)) {
            throw new InvalidRequest("This gateway keeps no note of a hold, so its turns cannot be held back.");
        }
        return requests.ask(hold);
    }

    @Override
    public List<String> check(BiConsumer<Long, Long> progress) {
        return storage.maintenance().check(progress);
    }
}
