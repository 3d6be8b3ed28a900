package dev.parley.adapter.discord.inbound;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.adapter.discord.api.DiscordApi;
import dev.parley.adapter.discord.api.DiscordError;
import dev.parley.adapter.discord.api.Route;
import dev.parley.adapter.kit.api.ApiFailure;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Commands and presses of buttons, which Discord wants to be answered within three seconds. One is answered once it is stored; a command's
 * answer then takes the place of what says that one comes, for as long as the process lives. Safe for concurrent use.
 */
public final class Interactions {
    private static final int COMES = 5;
    private static final int NOTHING_CHANGES = 6;
    private static final int MOST = 1_000;
    private static final Duration ANSWERED_WITHIN = Duration.ofSeconds(20);

    private final DiscordApi api;
    private final Map<String, Open> open = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Open> eldest) {
            return size() > MOST;
        }
    };

    private record Open(Route response, CompletableFuture<Boolean> waits) {}

    /** Knows of nothing that was done. */
    public Interactions(DiscordApi api) {
        this.api = api;
    }

    /** Notes a command before it is handed in, since its answer may be there before Discord knows that one comes. */
    void expect(JsonNode interaction) {
        synchronized (open) {
            open.put(
                    interaction.path("id").asText(),
                    new Open(
                            Route.respond(
                                    interaction.path("application_id").asText(),
                                    interaction.path("token").asText()),
                            new CompletableFuture<>()));
        }
    }

    /** Forgets a command that nobody answers: its person is told by Discord that the bot did not respond. */
    void forget(JsonNode interaction) {
        Optional<Open> forgotten = taken(interaction.path("id").asText());
        forgotten.ifPresent(each -> each.waits().complete(false));
    }

    /** Tells Discord that what a person did is received. Blocks while it does; where it cannot, people see that the bot did not respond. */
    void received(JsonNode interaction, boolean command) {
        boolean told = false;
        try {
            Route route = Route.answer(
                    interaction.path("id").asText(), interaction.path("token").asText());
            api.answer(route, Map.of("type", command ? COMES : NOTHING_CHANGES));
            told = true;
        } catch (DiscordError | ApiFailure tooLate) {
            // The answer becomes a message of its own.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        String id = interaction.path("id").asText();
        Optional<Open> each;
        synchronized (open) {
            each = Optional.ofNullable(open.get(id));
        }
        if (!told) {
            done(id);
        }
        boolean answered = told;
        each.ifPresent(one -> one.waits().complete(answered));
    }

    private Optional<Open> taken(String id) {
        synchronized (open) {
            return Optional.ofNullable(open.remove(id));
        }
    }

    /** Returns whether something is a command that has no answer yet. */
    public boolean isOpen(String id) {
        synchronized (open) {
            return open.containsKey(id);
        }
    }

    /** Returns where the answer to a command goes; absent where it becomes a message of its own. Blocks while Discord is told that one comes. */
    public Optional<Route> response(String id) {
        Optional<Open> each;
        synchronized (open) {
            each = Optional.ofNullable(open.get(id));
        }
        if (each.isEmpty()) {
            return Optional.empty();
        }
        try {
            boolean waits = each.get().waits().get(ANSWERED_WITHIN.toMillis(), TimeUnit.MILLISECONDS);
            return waits ? Optional.of(each.get().response()) : Optional.empty();
        } catch (ExecutionException | TimeoutException e) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    /** Notes that a command has its answer, or can have none in its place. */
    public void done(String id) {
        taken(id).ifPresent(each -> each.waits().complete(false));
    }
}
