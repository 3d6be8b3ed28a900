package dev.parley.adapter.matrix;

import dev.parley.adapter.kit.access.Gate;
import dev.parley.adapter.kit.api.ApiClient;
import dev.parley.adapter.kit.api.ApiFailure;
import dev.parley.adapter.kit.flow.Connection;
import dev.parley.adapter.kit.flow.Started;
import dev.parley.adapter.matrix.api.Account;
import dev.parley.adapter.matrix.api.MatrixApi;
import dev.parley.adapter.matrix.api.MatrixError;
import dev.parley.adapter.matrix.inbound.Reading;
import dev.parley.adapter.matrix.inbound.Rooms;
import dev.parley.adapter.matrix.inbound.Syncing;
import dev.parley.adapter.matrix.outbound.Sender;
import dev.parley.application.ability.Diagnosing;
import dev.parley.application.ability.Editing;
import dev.parley.application.ability.Previewing;
import dev.parley.application.ability.SendingInParts;
import dev.parley.application.ability.Typing;
import dev.parley.application.port.InboundListener;
import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.Sent;
import dev.parley.application.spi.ProviderSettings;
import dev.parley.domain.source.Address;
import dev.parley.domain.source.Platform;
import dev.parley.domain.turn.Outgoing;
import java.time.Duration;
import java.util.Optional;

/**
 * A bot in Matrix. What people write is read on from only once it is stored; what the bot sends has a name by which its homeserver
 * recognises it, so that it is shown once however often it is sent. Safe for concurrent use.
 */
final class MatrixPlatform implements SendingInParts, Editing, Previewing, Typing, Diagnosing {
    private static final Duration TYPING_SHOWN = Duration.ofSeconds(30);

    private final ProviderSettings settings;
    private final MatrixSettings matrix;
    private final MatrixApi api;
    private final Started<Running> running = new Started<>("The Matrix bot");

    /** What a started platform has. */
    private record Running(Syncing syncing, Sender sender, Connection connection) {}

    MatrixPlatform(ProviderSettings settings, MatrixSettings matrix) {
        this.settings = settings;
        this.matrix = matrix;
        this.api = new MatrixApi(
                settings.executor(), matrix.homeserver(), matrix.token().text(), matrix.answerTimeout());
    }

    @Override
    public Platform name() {
        return Platform.MATRIX;
    }

    @Override
    public Traits traits() {
        return new Traits(false, false, true).carryingFiles();
    }

    /** Edits bloat rooms that many servers share, so previews are shown only where that is asked for. */
    @Override
    public <T> Optional<T> as(Class<T> ability) {
        return ability == Previewing.class && !matrix.previews() ? Optional.empty() : SendingInParts.super.as(ability);
    }

    @Override
    public void start(InboundListener listener) {
        Rooms rooms = new Rooms();
        Connection connection = new Connection(Platform.MATRIX, "The homeserver", listener, this::warn);
        Optional<Account> account = knownAccount();
        Syncing syncing = new Syncing(
                api,
                rooms,
                new Reading(
                        matrix.patience(),
                        matrix.answerTimeout(),
                        matrix.backfill(),
                        matrix.receipts(),
                        matrix.autoThread(),
                        matrix.invitations(),
                        matrix.ignoredUsers(),
                        new Gate(matrix.gate()),
                        matrix.observe()),
                settings,
                listener,
                this::warn,
                connection);
        running.begin(new Running(syncing, new Sender(api, rooms, settings.clock(), matrix.markdown()), connection));
        syncing.start(account);
    }

    /** Asks whose token it is; absent where the homeserver cannot say now. */
    private Optional<Account> knownAccount() {
        try {
            return Optional.of(api.whoami(ApiClient.FIRST_ANSWER));
        } catch (MatrixError e) {
            if (e.isUnauthorized()) {
                throw new InvalidRequest("The homeserver does not know the access token in " + matrix.variable()
                        + "; put one of the bot's account into it, and check " + settings.nameOf("homeserver") + ".");
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
        return running.get().sender().send(message);
    }

    @Override
    public void edit(Address where, String messageId, String text) {
        running.get().sender().edit(where, messageId, text, settings.ids().unique("edit"));
    }

    @Override
    public Duration previewPause() {
        return Duration.ofSeconds(2);
    }

    @Override
    public Optional<String> preview(Preview preview) {
        String name = settings.ids().unique("preview");
        return Optional.of(
                running.get().sender().preview(preview.to(), preview.replyTo(), preview.shown(), preview.text(), name));
    }

    @Override
    public Duration typingLasts() {
        return TYPING_SHOWN.minusSeconds(5);
    }

    @Override
    public void typing(Address where, boolean on) {
        Running now = running.get();
        Optional<Account> account = now.syncing().account();
        if (account.isPresent()) {
            now.sender().typing(account.get().userId(), where, on, TYPING_SHOWN);
        }
    }

    @Override
    public Optional<Ailment> ailment() {
        return running.found().flatMap(now -> now.connection().ailment());
    }

    @Override
    public void stop() {
        running.end().ifPresent(last -> last.syncing().stop());
    }
}
