package dev.parley.adapter.discord;

import dev.parley.adapter.discord.api.Bot;
import dev.parley.adapter.discord.api.DiscordApi;
import dev.parley.adapter.discord.api.DiscordError;
import dev.parley.adapter.discord.api.Route;
import dev.parley.adapter.discord.inbound.Commands;
import dev.parley.adapter.discord.inbound.Interactions;
import dev.parley.adapter.discord.inbound.Sockets;
import dev.parley.adapter.discord.outbound.Sender;
import dev.parley.adapter.kit.api.ApiClient;
import dev.parley.adapter.kit.api.ApiFailure;
import dev.parley.adapter.kit.flow.Connection;
import dev.parley.adapter.kit.flow.Marks;
import dev.parley.adapter.kit.flow.Started;
import dev.parley.application.ability.Asking;
import dev.parley.application.ability.Diagnosing;
import dev.parley.application.ability.Editing;
import dev.parley.application.ability.Menus;
import dev.parley.application.ability.Previewing;
import dev.parley.application.ability.Reacting;
import dev.parley.application.ability.SendingInParts;
import dev.parley.application.ability.Typing;
import dev.parley.application.port.DeliveryFailed;
import dev.parley.application.port.InboundListener;
import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.Sent;
import dev.parley.application.spi.ProviderSettings;
import dev.parley.domain.source.Address;
import dev.parley.domain.source.Platform;
import dev.parley.domain.turn.Outgoing;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

/**
 * A Discord bot. What people write counts as heard once it is stored, and what they wrote in an absence is told by the session or read in
 * the histories; what the bot sends carries a nonce and is looked for where that is too old, so that it is shown once however often it is
 * sent. Safe for concurrent use.
 */
final class DiscordPlatform
        implements SendingInParts, Asking, Editing, Previewing, Reacting, Typing, Menus, Diagnosing {
    private static final int MOST_COMMANDS = 100;
    private static final int LONGEST_DESCRIPTION = 100;
    private static final Marks MARKS = new Marks(Map.of(Mark.RECEIVED, "👀", Mark.DONE, "✅", Mark.FAILED, "❌"));

    /** Gets no answer, since other platforms give it when a chat is opened: Discord would say for ever that one comes. */
    private static final String UNANSWERED = "start";

    private final ProviderSettings settings;
    private final DiscordSettings discord;
    private final DiscordApi api;
    private final Commands commands = new Commands();
    private final Instant made;
    private final Started<Running> running = new Started<>("The Discord bot");

    /** What a started platform has. */
    private record Running(Sockets sockets, Sender sender, Connection connection) {}

    DiscordPlatform(ProviderSettings settings, DiscordSettings discord) {
        this.settings = settings;
        this.discord = discord;
        this.api = new DiscordApi(
                settings.executor(),
                settings.clock(),
                discord.base(),
                discord.token().text(),
                discord.answerTimeout());
        this.made = settings.clock().instant();
    }

    @Override
    public Platform name() {
        return Platform.DISCORD;
    }

    @Override
    public Traits traits() {
        return new Traits(true, false, true).carryingFiles();
    }

    @Override
    public void start(InboundListener listener) {
        Optional<Bot> bot = known();
        Connection connection = new Connection(Platform.DISCORD, "Discord", listener, this::warn);
        Interactions interactions = new Interactions(api);
        Sender sender = new Sender(api, interactions, settings.clock(), discord.markdown(), discord.replies());
        Sockets sockets = new Sockets(
                api,
                new Sockets.Reading(
                        discord.gateway(),
                        discord.answerTimeout(),
                        discord.backfill(),
                        discord.roles(),
                        discord.gate()),
                commands,
                interactions,
                settings,
                listener,
                this::warn,
                connection,
                sender::is,
                made);
        running.begin(new Running(sockets, sender, connection));
        wrong(sockets.start(bot)).ifPresent(what -> {
            stop();
            throw what;
        });
    }

    /** Returns what the first connection shows to be wrong with the configuration. */
    private static Optional<InvalidRequest> wrong(CompletableFuture<Optional<InvalidRequest>> first) {
        try {
            return first.get(ApiClient.FIRST_ANSWER.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException slow) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    /** Asks what shows that the token is one; absent where Discord cannot say now. */
    private Optional<Bot> known() {
        try {
            return Optional.of(api.me(ApiClient.FIRST_ANSWER));
        } catch (DiscordError e) {
            if (e.isUnauthorized()) {
                throw new InvalidRequest("Discord does not take the bot's token in " + discord.variable()
                        + "; copy it from the application's page once more, and check " + settings.nameOf("base_url")
                        + " where that is set.");
            }
            return Optional.empty();
        } catch (ApiFailure e) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    private void warn(String line) {
        settings.warnings().accept(settings.path() + ": " + api.scrub(line));
    }

    @Override
    public Sent sendPart(Outgoing message) {
        return running.get().sender().send(message, List.of());
    }

    @Override
    public Sent ask(Outgoing question, List<Choice> choices) {
        return running.get().sender().send(question, choices);
    }

    @Override
    public void edit(Address where, String messageId, String text) {
        running.get().sender().edit(where, messageId, text);
    }

    @Override
    public Duration previewPause() {
        return Duration.ofMillis(1_500);
    }

    @Override
    public Optional<String> preview(Preview preview) {
        return running.get().sender().preview(preview);
    }

    @Override
    public Duration typingLasts() {
        return Duration.ofSeconds(8);
    }

    @Override
    public void typing(Address where, boolean on) {
        if (on) {
            running.get().sender().typing(where);
        }
    }

    @Override
    public void react(Address where, String messageId, Mark mark) {
        Sender sender = running.get().sender();
        MARKS.show(mark, (emoji, on) -> sender.react(where, messageId, emoji, on));
    }

    @Override
    public void menu(List<Entry> entries) {
        commands.learn(entries.stream().map(Entry::name).collect(Collectors.toSet()));
        Optional<String> application = running.get().sockets().application();
        if (!discord.commands() || application.isEmpty()) {
            return;
        }
        List<Map<String, Object>> menu = entries.stream()
                .filter(each -> !each.name().equals(UNANSWERED))
                .filter(each -> each.name().toLowerCase(Locale.ROOT).matches("[a-z0-9_-]{1,32}"))
                .limit(MOST_COMMANDS)
                .map(DiscordPlatform::entry)
                .toList();
        try {
            api.send(Route.commands(application.get()), menu);
        } catch (DiscordError | ApiFailure e) {
            throw new DeliveryFailed(DeliveryFailed.Kind.AWAY, String.valueOf(e.getMessage()), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new DeliveryFailed(DeliveryFailed.Kind.AWAY, "The call was interrupted.", e);
        }
    }

    private static Map<String, Object> entry(Entry command) {
        String text = command.description().strip();
        String words = text.isEmpty() ? command.name() : text;
        return Map.of(
                "name",
                command.name().toLowerCase(Locale.ROOT),
                "description",
                words.length() > LONGEST_DESCRIPTION ? words.substring(0, LONGEST_DESCRIPTION) : words,
                "type",
                1,
                "options",
                List.of(Map.of("type", 3, "name", "text", "description", "What stands behind it", "required", false)));
    }

    @Override
    public Optional<Ailment> ailment() {
        return running.found().flatMap(now -> now.connection().ailment());
    }

    @Override
    public void stop() {
        running.end().ifPresent(last -> last.sockets().stop());
    }
}
