package dev.parley.adapter.matrix.inbound;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.adapter.kit.api.ApiFailure;
import dev.parley.adapter.kit.flow.ChatOrder;
import dev.parley.adapter.kit.flow.ChatOrder.Item;
import dev.parley.adapter.kit.flow.ChatOrder.Settlement;
import dev.parley.adapter.kit.flow.HandingIn;
import dev.parley.adapter.kit.flow.Overheard;
import dev.parley.adapter.kit.flow.ReadMessage;
import dev.parley.adapter.kit.media.FileFetch;
import dev.parley.adapter.matrix.api.Account;
import dev.parley.adapter.matrix.api.MatrixApi;
import dev.parley.adapter.matrix.api.MatrixError;
import dev.parley.application.port.Happened;
import dev.parley.application.port.InboundListener;
import dev.parley.application.spi.ProviderSettings;
import dev.parley.domain.turn.ChatEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/** Reads what a sync tells, and hands it to the gateway. Takes one sync at a time. */
final class Intake {
    /** How long to wait at least before what could not be stored is offered again. */
    static final Duration LEAST_PAUSE = Duration.ofSeconds(1);

    private final Account account;
    private final Rooms rooms;
    private final MatrixApi api;
    private final Reading reading;
    private final EventReader reader;
    private final RoomHistory history;
    private final Timeline timeline;
    private final Membership membership;
    private final HandingIn handing;
    private final Executor executor;
    private final Consumer<String> warnings;
    private final ChatOrder order;

    Intake(
            MatrixApi api,
            Account account,
            Rooms rooms,
            Reading reading,
            ProviderSettings settings,
            InboundListener listener,
            Consumer<String> warnings) {
        this.api = api;
        this.account = account;
        this.rooms = rooms;
        this.reading = reading;
        this.reader = new EventReader(account, rooms, reading.gate(), reading.ignoredUsers(), reading.autoThread());
        this.history = new RoomHistory(api, account);
        this.timeline = new Timeline(api, account, rooms, reading.backfill(), warnings);
        this.membership = new Membership(api, account, rooms, settings.cursors(), warnings, settings.executor());
        this.handing = new HandingIn(
                new FileFetch(new Media(api), Long.MAX_VALUE, settings.media(), warnings),
                listener,
                settings.executor(),
                LEAST_PAUSE,
                new Overheard(reading.observe(), listener, settings.clock()));
        this.executor = settings.executor();
        this.warnings = warnings;
        this.order = new ChatOrder(LEAST_PAUSE, line -> warnings.accept("The event " + line));
    }

    /**
     * What a sync tells.
     *
     * @param items what is handed in
     * @param latest the latest message of each room that is for the agent
     */
    record Offer(List<Item> items, Map<String, ReadMessage> latest) {}

    /**
     * Learns from a sync and reads what it tells; asks the homeserver for what the sync leaves out.
     *
     * @throws LookupFailed where something that is referred to could not be looked up now
     */
    Offer read(JsonNode sync, Place place) throws MatrixError, ApiFailure, InterruptedException {
        for (JsonNode event : sync.path("account_data").path("events")) {
            if (event.path("type").asText().equals("m.direct")) {
                rooms.learnDirect(event.path("content"));
            }
        }
        Offer offer = new Offer(new ArrayList<>(), new LinkedHashMap<>());
        for (Map.Entry<String, JsonNode> left : each(sync.path("rooms").path("leave"))) {
            rooms.forget(left.getKey());
        }
        for (Map.Entry<String, JsonNode> invited : each(sync.path("rooms").path("invite"))) {
            invitation(invited.getKey(), invited.getValue()).ifPresent(offer.items()::add);
        }
        for (Map.Entry<String, JsonNode> joined : each(sync.path("rooms").path("join"))) {
            room(joined.getKey(), joined.getValue(), place, offer);
        }
        return offer;
    }

    private static List<Map.Entry<String, JsonNode>> each(JsonNode rooms) {
        return List.copyOf(rooms.properties());
    }

    private Optional<Item> invitation(String room, JsonNode invited) {
        Optional<JsonNode> ours = Optional.empty();
        for (JsonNode event : invited.path("invite_state").path("events")) {
            rooms.learn(room, event);
            boolean mine = event.path("type").asText().equals("m.room.member")
                    && account.is(event.path("state_key").asText())
                    && event.path("content").path("membership").asText().equals("invite");
            ours = mine ? Optional.of(event) : ours;
        }
        String inviter = ours.map(event -> event.path("sender").asText()).orElse("");
        boolean direct = ours.filter(
                        event -> event.path("content").path("is_direct").asBoolean(false))
                .isPresent();
        if (inviter.isEmpty() || !reading.invitations().isAccepted(inviter, room, direct)) {
            return Optional.empty();
        }
        return Optional.of(new Item(
                room,
                "the invitation to " + room,
                () -> membership.accept(room, direct ? Optional.of(inviter) : Optional.empty())));
    }

    private void room(String room, JsonNode joined, Place place, Offer offer)
            throws MatrixError, ApiFailure, InterruptedException {
        joined.path("state").path("events").forEach(event -> rooms.learn(room, event));
        for (JsonNode event : timeline.read(room, joined.path("timeline"), place)) {
            rooms.learn(room, event);
            Incoming incoming = read(room, event);
            history.note(room, event);
            if (incoming instanceof Incoming.DirectInvitation invitation) {
                // What follows in this room is read as said in a direct one.
                rooms.markDirect(room, invitation.inviter());
            }
            if (incoming instanceof Incoming.Message message) {
                offer.latest().put(room, message.message());
            }
            step(room, incoming)
                    .ifPresent(step -> offer.items()
                            .add(new Item(room, event.path("event_id").asText(), step)));
            if (incoming instanceof Incoming.Unreadable unreadable) {
                warnings.accept("The event " + event.path("event_id").asText("without an id") + " was left out: "
                        + unreadable.why() + ".");
            }
        }
    }

    private Incoming read(String room, JsonNode event) {
        try {
            return reader.read(room, event, history.in(room));
        } catch (LookupFailed e) {
            throw e;
        } catch (RuntimeException e) {
            return new Incoming.Unreadable("it cannot be read (" + e.getClass().getSimpleName() + ")");
        }
    }

    private Optional<ChatOrder.Step> step(String room, Incoming incoming) {
        if (incoming instanceof Incoming.Message message) {
            return Optional.of(() -> handing.message(message.message()));
        }
        if (incoming instanceof Incoming.Overheard said) {
            return Optional.of(() -> handing.overheard(said.message()));
        }
        if (incoming instanceof Incoming.Event event) {
            return Optional.of(
                    () -> handing.happened(new Happened(event.source(), event.event(), Optional.of(event.eventId()))));
        }
        if (incoming instanceof Incoming.Moved moved) {
            return Optional.of(() -> moved(room, moved));
        }
        if (incoming instanceof Incoming.DirectInvitation invitation) {
            return Optional.of(() -> membership.noteDirect(room, invitation.inviter()));
        }
        if (incoming instanceof Incoming.Encrypted) {
            return Optional.of(() -> membership.tellEncrypted(room));
        }
        return Optional.empty();
    }

    /** Hands in what was read; completes as {@link ChatOrder#take} does. */
    CompletionStage<ChatOrder.Outcome> take(Offer offer) {
        return order.take(offer.items());
    }

    private CompletionStage<Settlement> moved(String room, Incoming.Moved moved) {
        String to = moved.source().chatId();
        return membership
                .follow(room, to, moved.via())
                .thenCompose(joined -> joined.again().isPresent()
                        ? CompletableFuture.completedFuture(joined)
                        : handing.happened(new Happened(
                                moved.source(), new ChatEvent.Moved(moved.from()), Optional.of(moved.eventId()))));
    }

    /** Shows people up to where the bot has read; where that fails nobody is the worse for it. */
    void receipts(Offer offer) {
        if (reading.receipts()) {
            offer.latest().forEach((room, message) -> executor.execute(() -> receipt(room, message)));
        }
    }

    private void receipt(String room, ReadMessage message) {
        boolean threaded =
                message.source().parentChatId().isPresent() && !message.source().autoThreadCreated();
        Map<String, String> body = message.source()
                .threadId()
                .filter(root -> threaded)
                .map(root -> Map.of("thread_id", root))
                .orElse(Map.of());
        try {
            api.post(
                    "receipt",
                    MatrixApi.path("client/v3/rooms/{}/receipt/m.read/{}", room, message.messageId()),
                    Map.of(),
                    body);
        } catch (MatrixError | ApiFailure e) {
            // It is not looked at by the gateway.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
