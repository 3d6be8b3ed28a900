package dev.parley.adapter.matrix.inbound;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.adapter.kit.api.ApiFailure;
import dev.parley.adapter.kit.flow.ChatOrder;
import dev.parley.adapter.kit.flow.Connection;
import dev.parley.adapter.kit.flow.ReadingThread;
import dev.parley.adapter.matrix.api.Account;
import dev.parley.adapter.matrix.api.MatrixApi;
import dev.parley.adapter.matrix.api.MatrixError;
import dev.parley.application.actor.Backoff;
import dev.parley.application.port.InboundListener;
import dev.parley.application.port.ParleyException;
import dev.parley.application.spi.ProviderSettings;
import dev.parley.domain.source.CursorName;
import dev.parley.domain.source.Platform;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;

/**
 * Reads an account's rooms by syncs, in a thread of its own. A sync is asked for from a new place only once everything before that
 * place is settled, and the place is kept; so what the process had not stored when it died is told again. Goes on whatever fails: where
 * the homeserver is away it tries again ever less often, up to every 16 seconds.
 */
public final class Syncing {
    /** All that is known of all rooms may be much. */
    private static final Duration FIRST = Duration.ofSeconds(90);

    private static final Duration SHORT = Duration.ofSeconds(5);
    private static final Backoff AWAY = new Backoff(Duration.ofSeconds(1), 4);
    private static final Backoff REFUSED = new Backoff(Duration.ofSeconds(10), 3);
    private static final Backoff NOT_STORED = new Backoff(Intake.LEAST_PAUSE, 5);

    private final MatrixApi api;
    private final Rooms rooms;
    private final Reading reading;
    private final ProviderSettings settings;
    private final InboundListener listener;
    private final Consumer<String> warnings;
    private final Connection connection;
    private final ReadingThread thread;
    private final Instant begun;
    private volatile Optional<Account> account = Optional.empty();
    private int failures;
    private int notStored;

    /**
     * Syncs that are not asked for yet.
     *
     * @param api the account's API
     * @param rooms learns what syncs tell of rooms
     * @param reading how rooms are read
     * @param settings what the platform was made with
     * @param listener takes what was read
     * @param warnings takes one line for everything an operator should know
     * @param connection told how the connection stands
     */
    public Syncing(
            MatrixApi api,
            Rooms rooms,
            Reading reading,
            ProviderSettings settings,
            InboundListener listener,
            Consumer<String> warnings,
            Connection connection) {
        this.api = api;
        this.rooms = rooms;
        this.reading = reading;
        this.settings = settings;
        this.listener = listener;
        this.warnings = warnings;
        this.connection = connection;
        this.thread = new ReadingThread("matrix-sync", settings.timers(), settings.ids(), connection::readingFailed);
        this.begun = settings.clock().instant();
    }

    /** Begins; where the account is not known yet it is asked for first, until the homeserver answers. */
    public void start(Optional<Account> known) {
        thread.start(() -> run(known));
    }

    /** Ends within two seconds; what is not settled by then is told again. */
    public void stop() {
        thread.stop();
    }

    private void run(Optional<Account> known) {
        Optional<Account> found = known;
        while (found.isEmpty() && !thread.isStopped()) {
            found = attempt(() -> api.whoami(SHORT));
        }
        account = found;
        while (found.isPresent() && !thread.isStopped()) {
            Account who = found.get();
            if (attempt(() -> direct(who)).isPresent()) {
                sync(who);
            }
        }
    }

    /** Returns whose rooms are read; absent until the homeserver has said it. */
    public Optional<Account> account() {
        return account;
    }

    /** Learns which rooms are direct; syncs tell it only when it changes. */
    private Account direct(Account account) throws MatrixError, ApiFailure, InterruptedException {
        try {
            rooms.learnDirect(api.get(
                    "account_data",
                    MatrixApi.path("client/v3/user/{}/account_data/m.direct", account.userId()),
                    Map.of()));
        } catch (MatrixError e) {
            if (e.isPassing()) {
                throw e;
            }
            // None was ever noted.
        }
        return account;
    }

    private void sync(Account account) {
        Intake intake = new Intake(api, account, rooms, reading, settings, listener, warnings);
        Optional<Place> kept = attempt(() -> kept(account));
        while (kept.isEmpty() && !thread.isStopped()) {
            kept = attempt(() -> kept(account));
        }
        Place place = kept.orElse(new Place(Optional.empty(), begun));
        boolean first = true;
        while (!thread.isStopped()) {
            Place from = place;
            boolean whole = first;
            Optional<Step> step = attempt(() -> step(intake, from, whole));
            if (step.isPresent()) {
                first = false;
                connection.up();
                failures = 0;
                place = settle(account, intake, place, step.get());
            }
        }
    }

    /** A place from which the next sync goes on, and what is settled before. */
    private record Step(Optional<Intake.Offer> offer, Place next) {}

    private Step step(Intake intake, Place from, boolean first) throws MatrixError, ApiFailure, InterruptedException {
        Instant asked = settings.clock().instant();
        JsonNode sync;
        try {
            sync = ask(from, first);
        } catch (MatrixError e) {
            boolean unknownPlace =
                    e.status() == 400 && e.isSpoken() && from.token().isPresent();
            if (!unknownPlace) {
                throw e;
            }
            warnings.accept("The homeserver does not know any more up to where was read; what was written since "
                    + from.at() + " is read.");
            return new Step(Optional.empty(), from.untold());
        }
        String next = sync.path("next_batch").asText();
        if (next.isEmpty()) {
            throw new IllegalStateException("a sync without a place for the next one");
        }
        return new Step(Optional.of(intake.read(sync, from)), new Place(Optional.of(next), asked));
    }

    private JsonNode ask(Place from, boolean first) throws MatrixError, ApiFailure, InterruptedException {
        Duration patience = first || failures > 0 || from.token().isEmpty() ? Duration.ZERO : reading.patience();
        Map<String, String> query = new LinkedHashMap<>();
        from.token().ifPresent(token -> query.put("since", token));
        query.put("timeout", String.valueOf(patience.toMillis()));
        query.put("set_presence", "offline");
        query.put("filter", Timeline.SyncFilter.SYNC);
        if (first && from.token().isPresent()) {
            query.put("full_state", "true");
        }
        Duration timeout = patience.plus(failures > 2 && first ? FIRST : reading.grace());
        return api.call("GET", "sync", MatrixApi.path("client/v3/sync"), query, Optional.empty(), timeout);
    }

    /** Hands in what was read, and returns from where the next sync goes on. */
    private Place settle(Account account, Intake intake, Place from, Step step) {
        if (step.offer().isEmpty()) {
            return step.next();
        }
        Intake.Offer offer = step.offer().get();
        Optional<ChatOrder.Outcome> outcome = attempt(() -> {
            try {
                // Stopping interrupts this thread; what stores a message must not be interrupted.
                return CompletableFuture.supplyAsync(() -> intake.take(offer), settings.executor())
                        .thenCompose(taken -> taken)
                        .get();
            } catch (ExecutionException e) {
                throw new IllegalStateException("What was read could not be handed in.", e);
            }
        });
        if (outcome.isEmpty()) {
            return from;
        }
        if (outcome.get().pause().isPresent()) {
            Duration asked = outcome.get().pause().get();
            Duration own = NOT_STORED.pause(notStored++, settings.ids());
            thread.pause(own.compareTo(asked) > 0 ? own : asked);
            return from;
        }
        notStored = 0;
        settings.cursors().put(cursor(account), step.next().text());
        intake.receipts(offer);
        return step.next();
    }

    /** Returns the place that was kept; before the first sync ever, the time from which on messages count. */
    private Place kept(Account account) {
        Optional<Place> kept;
        try {
            kept = settings.cursors().get(cursor(account)).flatMap(Place::of);
        } catch (ParleyException unknown) {
            // Without it nothing can be told apart: it is asked for again.
            throw new IllegalStateException("the storage does not say up to where was read", unknown);
        }
        Place place = kept.orElse(new Place(Optional.empty(), begun));
        if (kept.isEmpty()) {
            settings.cursors().put(cursor(account), place.text());
        }
        return place;
    }

    private static CursorName cursor(Account account) {
        return new CursorName(Platform.MATRIX, account.userId(), "sync");
    }

    private interface Call<T> {
        T make() throws MatrixError, ApiFailure, InterruptedException;
    }

    /** Makes a call; where it fails, says so, waits and returns nothing. */
    private <T> Optional<T> attempt(Call<T> call) {
        try {
            return Optional.of(call.make());
        } catch (InterruptedException e) {
            // Only stopping interrupts; the loop looks.
        } catch (MatrixError e) {
            thread.pause(after(e));
        } catch (ApiFailure e) {
            thread.pause(after(e));
        } catch (LookupFailed e) {
            if (e.getCause() instanceof MatrixError error) {
                thread.pause(after(error));
            } else if (e.getCause() instanceof ApiFailure failure) {
                thread.pause(after(failure));
            }
        } catch (RuntimeException e) {
            failures++;
            connection.readingFailed(e);
            thread.pause(AWAY.pause(failures - 1, settings.ids()));
        }
        return Optional.empty();
    }

    private Duration after(ApiFailure e) {
        failures++;
        if (e instanceof ApiFailure.NotSent || failures > 1) {
            connection.trouble(String.valueOf(e.getMessage()), "", true);
        }
        return AWAY.pause(failures - 1, settings.ids());
    }

    private Duration after(MatrixError e) {
        failures++;
        String what = String.valueOf(e.getMessage());
        if (e.isLimit()) {
            return e.retryAfter().orElse(AWAY.pause(failures - 1, settings.ids()));
        }
        if (e.isUnauthorized()) {
            connection.trouble(
                    what, "Put an access token of the bot's account into the environment and start again.", true);
            return REFUSED.pause(failures - 1, settings.ids());
        }
        connection.trouble(
                what,
                e.isSpoken() ? "" : "Look whether platforms.matrix.homeserver is the homeserver's address.",
                failures > 1);
        return AWAY.pause(failures - 1, settings.ids());
    }
}
