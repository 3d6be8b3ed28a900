package dev.parley.adapter.telegram.inbound;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.adapter.kit.api.ApiFailure;
import dev.parley.adapter.kit.flow.Connection;
import dev.parley.adapter.kit.flow.ReadingThread;
import dev.parley.adapter.telegram.api.Bot;
import dev.parley.adapter.telegram.api.BotApi;
import dev.parley.adapter.telegram.api.BotApiError;
import dev.parley.application.actor.Backoff;
import dev.parley.application.port.Ids;
import dev.parley.application.port.Timers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;

/**
 * Reads a bot's updates by long polling, in a thread of its own. An update is confirmed by the next poll, and only once everything up
 * to it is settled; so what the process had not stored when it died is offered again. Goes on whatever fails: where Telegram is away
 * it tries again ever less often, up to every 16 seconds; where somebody else reads the same bot it says so and tries on.
 */
public final class Poller {
    private static final Duration SHORT = Duration.ofSeconds(5);
    /** How much longer than the poll itself its answer may take before the connection counts as dead. */
    private static final Duration WATCHDOG = Duration.ofSeconds(8);

    private static final int MOST = 100;
    /** After so many failures in a row fewer updates are asked for: a smaller answer may get through. */
    private static final int MANY_FAILURES = 3;

    private static final Backoff AWAY = new Backoff(Duration.ofSeconds(1), 4);
    private static final Backoff CONFLICT = new Backoff(Duration.ofSeconds(2), 4);
    private static final Backoff REFUSED = new Backoff(Duration.ofSeconds(10), 3);
    private static final Backoff NOT_STORED = new Backoff(Intake.LEAST_PAUSE, 4);

    private final BotApi api;
    private final Duration wait;
    private final Ids ids;
    private final Executor executor;
    private final Connection connection;
    private final Start start;
    private final ReadingThread thread;
    private OptionalLong offset = OptionalLong.empty();
    private boolean unconfirmed;
    private int failures;
    private int notStored;

    /** What a poller begins with once it knows who the bot is. */
    public interface Start {
        /** Returns where updates go. */
        Intake intake(Bot bot);

        /** Returns where reading begins; absent where Telegram is to say. */
        OptionalLong offset(Bot bot);

        /** Notes where reading stands. */
        void settled(Bot bot, long offset);
    }

    /**
     * A poller that does not run yet.
     *
     * @param api the bot's API
     * @param wait how long a poll waits for updates
     * @param ids chance
     * @param timers end pauses
     * @param executor runs what hands updates in
     * @param start what it begins with
     * @param connection told how the connection stands
     */
    public Poller(
            BotApi api, Duration wait, Ids ids, Timers timers, Executor executor, Start start, Connection connection) {
        this.api = api;
        this.wait = wait;
        this.ids = ids;
        this.thread = new ReadingThread("telegram-poll", timers, ids, connection::readingFailed);
        this.executor = executor;
        this.start = start;
        this.connection = connection;
    }

    /** Begins; where the bot is not known yet it is asked for first, until Telegram answers. */
    public void start(Optional<Bot> known) {
        thread.start(() -> run(known));
    }

    /** Ends within two seconds; what is not settled by then is offered again. */
    public void stop() {
        thread.stop();
    }

    private void run(Optional<Bot> known) {
        Optional<Bot> bot = known;
        while (bot.isEmpty() && !thread.isStopped()) {
            bot = attempt(() -> api.me(SHORT));
        }
        bot.ifPresent(this::poll);
    }

    private void poll(Bot bot) {
        Intake intake = start.intake(bot);
        offset = start.offset(bot);
        up();
        while (!thread.isStopped()) {
            Optional<JsonNode> updates = attempt(() -> updates(failures > 0));
            if (updates.isPresent()) {
                up();
                attempt(() -> {
                    settle(bot, intake, updates.get());
                    return bot;
                });
            }
        }
        confirm();
    }

    private JsonNode updates(boolean atOnce) throws BotApiError, ApiFailure, InterruptedException {
        Duration patience = atOnce ? Duration.ZERO : wait;
        JsonNode updates = api.call(
                "getUpdates", parameters(failures < MANY_FAILURES ? MOST : 1, patience), patience.plus(WATCHDOG));
        unconfirmed = false;
        return updates;
    }

    private Map<String, Object> parameters(int limit, Duration patience) {
        Map<String, Object> parameters = new LinkedHashMap<>();
        offset.ifPresent(from -> parameters.put("offset", from));
        parameters.put("limit", limit);
        parameters.put("timeout", patience.toSeconds());
        parameters.put("allowed_updates", UpdateReader.KINDS);
        return parameters;
    }

    private void settle(Bot bot, Intake intake, JsonNode updates) throws InterruptedException {
        List<JsonNode> list = new ArrayList<>();
        updates.forEach(list::add);
        if (list.isEmpty()) {
            return;
        }
        Intake.Outcome outcome;
        try {
            // Stopping interrupts this thread; what stores a message must not be interrupted.
            outcome = CompletableFuture.supplyAsync(() -> intake.take(list), executor)
                    .thenCompose(taken -> taken)
                    .get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("Updates could not be handed in.", e);
        }
        if (outcome.next().isPresent()) {
            offset = outcome.next();
            unconfirmed = true;
            start.settled(bot, offset.getAsLong());
        }
        if (outcome.pause().isPresent()) {
            Duration pause = NOT_STORED.pause(notStored++, ids);
            thread.pause(
                    pause.compareTo(outcome.pause().get()) > 0
                            ? pause
                            : outcome.pause().get());
        } else {
            notStored = 0;
        }
    }

    /** Confirms what was settled last, so that it is not offered again; without it the gateway would recognise it. */
    private void confirm() {
        if (!unconfirmed) {
            return;
        }
        // The thread was interrupted to end its poll; one short call is left.
        boolean interrupted = Thread.interrupted();
        try {
            api.call("getUpdates", parameters(1, Duration.ZERO), Duration.ofSeconds(1));
        } catch (BotApiError | ApiFailure e) {
            // It is offered again, then.
        } catch (InterruptedException e) {
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private interface Call<T> {
        T make() throws BotApiError, ApiFailure, InterruptedException;
    }

    /** Makes a call; where it fails, says so, waits and returns nothing. */
    private <T> Optional<T> attempt(Call<T> call) {
        try {
            return Optional.of(call.make());
        } catch (InterruptedException e) {
            // Only stopping interrupts; the loop looks.
            return Optional.empty();
        } catch (BotApiError e) {
            thread.pause(afterError(e));
        } catch (ApiFailure e) {
            failures++;
            boolean down = e instanceof ApiFailure.NotSent || failures > 1;
            if (down) {
                connection.trouble(String.valueOf(e.getMessage()), "", true);
            }
            thread.pause(AWAY.pause(failures - 1, ids));
        } catch (RuntimeException e) {
            failures++;
            connection.readingFailed(e);
            thread.pause(AWAY.pause(failures - 1, ids));
        }
        return Optional.empty();
    }

    private Duration afterError(BotApiError e) {
        String what = String.valueOf(e.getMessage());
        failures++;
        if (e.isConflict() && e.says("webhook")) {
            return removeWebhook();
        }
        if (e.isConflict()) {
            connection.trouble(
                    what, "Stop the other program that reads this bot's messages; a bot has one reader.", false);
            return CONFLICT.pause(failures - 1, ids);
        }
        if (e.isUnauthorized()) {
            connection.trouble(
                    what, "Put the bot's token into the environment and start again; @BotFather shows it.", true);
            return REFUSED.pause(failures - 1, ids);
        }
        if (e.retryAfter().isPresent()) {
            return e.retryAfter().get();
        }
        connection.trouble(what, "", failures > 1);
        return AWAY.pause(failures - 1, ids);
    }

    private Duration removeWebhook() {
        connection.trouble(
                "a webhook was set for this bot, so it cannot be read; the webhook is removed",
                "Stop the other program that sets it.",
                false);
        try {
            api.call("deleteWebhook", Map.of("drop_pending_updates", false), SHORT);
            return AWAY.pause(failures - 1, ids);
        } catch (BotApiError | ApiFailure e) {
            return CONFLICT.pause(failures - 1, ids);
        } catch (InterruptedException e) {
            return Duration.ZERO;
        }
    }

    private void up() {
        failures = 0;
        connection.up();
    }
}
