package dev.parley.adapter.slack;

import dev.parley.adapter.kit.api.ApiClient;
import dev.parley.adapter.kit.api.ApiFailure;
import dev.parley.adapter.kit.flow.Connection;
import dev.parley.adapter.kit.flow.Marks;
import dev.parley.adapter.kit.flow.Started;
import dev.parley.adapter.slack.api.Bot;
import dev.parley.adapter.slack.api.SlackApi;
import dev.parley.adapter.slack.api.SlackError;
import dev.parley.adapter.slack.inbound.Commands;
import dev.parley.adapter.slack.inbound.Sockets;
import dev.parley.adapter.slack.outbound.Sender;
import dev.parley.application.ability.Asking;
import dev.parley.application.ability.Diagnosing;
import dev.parley.application.ability.Editing;
import dev.parley.application.ability.Menus;
import dev.parley.application.ability.Previewing;
import dev.parley.application.ability.Reacting;
import dev.parley.application.ability.SendingInParts;
import dev.parley.application.port.InboundListener;
import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.Sent;
import dev.parley.application.spi.ProviderSettings;
import dev.parley.domain.source.Address;
import dev.parley.domain.source.Platform;
import dev.parley.domain.turn.Outgoing;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A Slack app by Socket Mode. What people write is acknowledged once it is stored, and what they wrote in an absence is read afterwards;
 * what the app sends carries a mark by which it is found, so that it is shown once however often it is sent. Safe for concurrent use.
 */
final class SlackPlatform implements SendingInParts, Asking, Editing, Previewing, Reacting, Menus, Diagnosing {
    private static final Marks MARKS =
            new Marks(Map.of(Mark.RECEIVED, "eyes", Mark.DONE, "white_check_mark", Mark.FAILED, "x"));

    private final ProviderSettings settings;
    private final SlackSettings slack;
    private final SlackApi api;
    private final Commands commands;
    private final Instant made;
    private final Started<Running> running = new Started<>("The Slack app");

    /** What a started platform has. */
    private record Running(Sockets sockets, Sender sender, Connection connection) {}

    SlackPlatform(ProviderSettings settings, SlackSettings slack) {
        this.settings = settings;
        this.slack = slack;
        this.api = new SlackApi(
                settings.executor(),
                settings.clock(),
                slack.base(),
                slack.botToken().text(),
                slack.appToken().text(),
                slack.answerTimeout());
        this.commands = new Commands(slack.command());
        this.made = settings.clock().instant();
    }

    @Override
    public Platform name() {
        return Platform.SLACK;
    }

    @Override
    public Traits traits() {
        return new Traits(false, false, true).carryingFiles();
    }

    @Override
    public void start(InboundListener listener) {
        Optional<Bot> bot = known(slack.botVariable(), "bot token", () -> api.me(ApiClient.FIRST_ANSWER));
        // Where Slack has not said the one it is not waited for to say the other.
        Optional<URI> address = bot.isEmpty()
                ? Optional.empty()
                : known(slack.appVariable(), "app-level token", () -> api.openConnection(ApiClient.FIRST_ANSWER));
        Connection connection = new Connection(Platform.SLACK, "Slack", listener, this::warn);
        Sockets sockets = new Sockets(
                api,
                new Sockets.Reading(
                        slack.answerTimeout(),
                        slack.silence(),
                        slack.backfill(),
                        slack.channelThreads(),
                        slack.directThreads(),
                        slack.gate()),
                commands,
                settings,
                listener,
                this::warn,
                connection,
                made);
        running.begin(new Running(sockets, new Sender(api, settings.clock(), slack.markdown()), connection));
        sockets.start(new Sockets.Known(bot, address));
    }

    private interface Question<T> {
        T ask() throws SlackError, ApiFailure, InterruptedException;
    }

    /** Asks what shows that a token is one; absent where Slack cannot say now. */
    private <T> Optional<T> known(String variable, String token, Question<T> question) {
        try {
            return Optional.of(question.ask());
        } catch (SlackError e) {
            if (e.isUnauthorized() || e.is("missing_scope")) {
                throw new InvalidRequest("Slack does not take the " + token + " in " + variable
                        + "; copy it from the app's page once more, and check " + settings.nameOf("base_url")
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
        return Optional.of(running.get().sender().preview(preview));
    }

    @Override
    public void react(Address where, String messageId, Mark mark) {
        Sender sender = running.get().sender();
        MARKS.show(mark, (emoji, on) -> sender.react(where, messageId, emoji, on));
    }

    /** Slack shows the commands that the app's page declares; these say which words behind an exclamation mark are commands. */
    @Override
    public void menu(List<Entry> entries) {
        commands.learn(entries.stream().map(Entry::name).collect(Collectors.toSet()));
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
