package dev.parley.adapter.telegram;

import dev.parley.adapter.kit.access.Gate;
import dev.parley.adapter.kit.api.ApiClient;
import dev.parley.adapter.kit.api.ApiFailure;
import dev.parley.adapter.kit.flow.Connection;
import dev.parley.adapter.kit.flow.Overheard;
import dev.parley.adapter.kit.flow.Started;
import dev.parley.adapter.kit.media.FileFetch;
import dev.parley.adapter.telegram.api.Bot;
import dev.parley.adapter.telegram.api.BotApi;
import dev.parley.adapter.telegram.api.BotApiError;
import dev.parley.adapter.telegram.inbound.BotFiles;
import dev.parley.adapter.telegram.inbound.Intake;
import dev.parley.adapter.telegram.inbound.Poller;
import dev.parley.adapter.telegram.inbound.UpdateReader;
import dev.parley.adapter.telegram.outbound.Sender;
import dev.parley.application.ability.Asking;
import dev.parley.application.ability.Diagnosing;
import dev.parley.application.ability.Editing;
import dev.parley.application.ability.Menus;
import dev.parley.application.ability.Previewing;
import dev.parley.application.ability.SendingInParts;
import dev.parley.application.ability.Typing;
import dev.parley.application.port.DeliveryFailed;
import dev.parley.application.port.InboundListener;
import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.ParleyException;
import dev.parley.application.port.Sent;
import dev.parley.application.spi.ProviderSettings;
import dev.parley.domain.source.Address;
import dev.parley.domain.source.CursorName;
import dev.parley.domain.source.Platform;
import dev.parley.domain.turn.Outgoing;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A Telegram bot. What people write is confirmed to Telegram once it is stored; what the bot sends Telegram does not recognise when it
 * is sent twice, so a part whose fate a crash or a broken connection hides may be shown twice. Safe for concurrent use.
 */
final class TelegramPlatform implements SendingInParts, Asking, Editing, Previewing, Typing, Menus, Diagnosing {
    /** A text of this length may be the beginning of a longer one, which the apps cut at 4096; an album comes picture by picture. */
    private static final Cutting CUTTING =
            new Cutting(3_900, Duration.ofMillis(1_500), Optional.of(Duration.ofMillis(800)));

    private static final Duration SHORT = Duration.ofSeconds(20);
    private static final int MOST_COMMANDS = 100;
    private static final int LONGEST_COMMAND = 32;
    private static final int LONGEST_DESCRIPTION = 256;
    /** How long Telegram keeps what was not confirmed; an older place in the stream means nothing. */
    private static final Duration KEPT = Duration.ofHours(24);

    private final ProviderSettings settings;
    private final TelegramSettings telegram;
    private final BotApi api;
    private final Started<Running> running = new Started<>("The Telegram bot");

    /** What a started platform has. */
    private record Running(Poller poller, Sender sender, Connection connection) {}

    TelegramPlatform(ProviderSettings settings, TelegramSettings telegram) {
        this.settings = settings;
        this.telegram = telegram;
        this.api = new BotApi(
                settings.executor(), telegram.base(), telegram.token().text());
    }

    @Override
    public Platform name() {
        return Platform.TELEGRAM;
    }

    @Override
    public Traits traits() {
        return new Traits(false, true, false).cutting(CUTTING).carryingFiles();
    }

    @Override
    public void start(InboundListener listener) {
        Optional<Bot> bot = knownBot();
        Connection made = new Connection(Platform.TELEGRAM, "Telegram", listener, this::warn);
        Poller reader = new Poller(
                api,
                telegram.patience(),
                settings.ids(),
                settings.timers(),
                settings.executor(),
                new Reading(listener),
                made);
        running.begin(new Running(reader, new Sender(api, settings.clock(), telegram.markdown()), made));
        reader.start(bot);
    }

    /** Asks who the bot is; absent where Telegram cannot say now. */
    private Optional<Bot> knownBot() {
        try {
            return Optional.of(api.me(ApiClient.FIRST_ANSWER));
        } catch (BotApiError e) {
            if (e.isUnauthorized()) {
                throw new InvalidRequest("Telegram does not know the token in " + telegram.variable()
                        + "; copy it from @BotFather once more, and check " + settings.nameOf("base_url")
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

    /** Where reading begins, and where what is read goes. */
    private final class Reading implements Poller.Start {
        private final InboundListener listener;

        Reading(InboundListener listener) {
            this.listener = listener;
        }

        @Override
        public Intake intake(Bot bot) {
            return new Intake(
                    new UpdateReader(bot, new Gate(telegram.gate())),
                    new FileFetch(new BotFiles(api), BotFiles.LARGEST, settings.media(), TelegramPlatform.this::warn),
                    listener,
                    new Overheard(telegram.observe(), listener, settings.clock()),
                    TelegramPlatform.this::answer,
                    TelegramPlatform.this::warn,
                    settings.executor());
        }

        @Override
        public OptionalLong offset(Bot bot) {
            try {
                return settings.cursors().get(cursor(bot)).map(this::fresh).orElse(OptionalLong.empty());
            } catch (ParleyException unknown) {
                // Telegram knows itself what was confirmed; what was only stored is recognised.
                return OptionalLong.empty();
            }
        }

        private OptionalLong fresh(String value) {
            String[] parts = value.split("@", 2);
            try {
                long notedAt = Long.parseLong(parts[parts.length - 1]);
                long now = settings.clock().instant().getEpochSecond();
                return parts.length == 2 && now - notedAt < KEPT.toSeconds()
                        ? OptionalLong.of(Long.parseLong(parts[0]))
                        : OptionalLong.empty();
            } catch (NumberFormatException notOurs) {
                return OptionalLong.empty();
            }
        }

        @Override
        public void settled(Bot bot, long offset) {
            settings.cursors()
                    .put(cursor(bot), offset + "@" + settings.clock().instant().getEpochSecond());
        }

        private CursorName cursor(Bot bot) {
            return new CursorName(Platform.TELEGRAM, bot.id(), "updates");
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
        return Optional.of(
                running.get().sender().preview(preview.to(), preview.replyTo(), preview.shown(), preview.text()));
    }

    @Override
    public Duration typingLasts() {
        return Duration.ofSeconds(4);
    }

    @Override
    public void typing(Address where, boolean on) {
        if (on) {
            running.get().sender().typing(where);
        }
    }

    @Override
    public void menu(List<Entry> commands) {
        running.get();
        List<Map<String, String>> menu = commands.stream()
                .map(TelegramPlatform::entry)
                .flatMap(Optional::stream)
                .limit(MOST_COMMANDS)
                .toList();
        quietly("setMyCommands", Map.of("commands", menu));
    }

    /** Telegram takes lower-case letters, digits and underscores. */
    private static Optional<Map<String, String>> entry(Entry command) {
        String name = command.name().replace('-', '_');
        String text = command.description().strip();
        if (!name.matches("[a-z0-9_]{1," + LONGEST_COMMAND + "}")) {
            return Optional.empty();
        }
        Map<String, String> entry = new LinkedHashMap<>();
        entry.put("command", name);
        entry.put(
                "description",
                text.isEmpty()
                        ? name
                        : text.length() > LONGEST_DESCRIPTION ? text.substring(0, LONGEST_DESCRIPTION) : text);
        return Optional.of(entry);
    }

    private void answer(String query, Optional<String> hint) {
        Map<String, Object> parameters = new LinkedHashMap<>();
        parameters.put("callback_query_id", query);
        hint.ifPresent(text -> parameters.put("text", text));
        try {
            quietly("answerCallbackQuery", parameters);
        } catch (DeliveryFailed tooLate) {
            // The app stops waiting by itself.
        }
    }

    private void quietly(String method, Map<String, ?> parameters) {
        try {
            api.call(method, parameters, SHORT);
        } catch (BotApiError | ApiFailure e) {
            throw new DeliveryFailed(DeliveryFailed.Kind.AWAY, String.valueOf(e.getMessage()), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new DeliveryFailed(DeliveryFailed.Kind.AWAY, "The call was interrupted.", e);
        }
    }

    @Override
    public Optional<Ailment> ailment() {
        return running.found().flatMap(now -> now.connection().ailment());
    }

    @Override
    public void stop() {
        running.end().ifPresent(last -> last.poller().stop());
    }
}
