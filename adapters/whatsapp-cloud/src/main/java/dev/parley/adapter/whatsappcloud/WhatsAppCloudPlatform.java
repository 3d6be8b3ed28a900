package dev.parley.adapter.whatsappcloud;

import dev.parley.adapter.kit.api.OutcomeUnknown;
import dev.parley.adapter.kit.flow.Connection;
import dev.parley.adapter.kit.flow.HandingIn;
import dev.parley.adapter.kit.flow.Started;
import dev.parley.adapter.kit.media.FileFetch;
import dev.parley.adapter.whatsappcloud.api.GraphApi;
import dev.parley.adapter.whatsappcloud.inbound.Incoming;
import dev.parley.adapter.whatsappcloud.inbound.Intake;
import dev.parley.adapter.whatsappcloud.inbound.MetaFiles;
import dev.parley.adapter.whatsappcloud.inbound.PostReader;
import dev.parley.adapter.whatsappcloud.outbound.Seen;
import dev.parley.adapter.whatsappcloud.outbound.Sender;
import dev.parley.adapter.whatsappcloud.webhook.Signature;
import dev.parley.adapter.whatsappcloud.webhook.WebhookServer;
import dev.parley.application.ability.Asking;
import dev.parley.application.ability.Diagnosing;
import dev.parley.application.ability.Reacting;
import dev.parley.application.ability.SendingInParts;
import dev.parley.application.ability.Typing;
import dev.parley.application.port.DeliveryFailed;
import dev.parley.application.port.InboundListener;
import dev.parley.application.port.Sent;
import dev.parley.application.spi.ProviderSettings;
import dev.parley.domain.source.Address;
import dev.parley.domain.source.Platform;
import dev.parley.domain.turn.Outgoing;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A WhatsApp number of a business. What people write is answered with 200 once it is stored; what is sent Meta does not recognise when it
 * is sent twice, so a part whose fate a crash or a broken connection hides may be shown twice. Safe for concurrent use.
 */
final class WhatsAppCloudPlatform implements SendingInParts, Asking, Typing, Reacting, Diagnosing {
    private static final Duration LEAST_PAUSE = Duration.ofSeconds(1);
    private static final Duration TYPING = Duration.ofSeconds(20);

    private final ProviderSettings settings;
    private final WhatsAppCloudSettings cloud;
    private final GraphApi api;
    private final Seen seen = new Seen();
    private final Sender sender;
    private final OncePerHour wrongSignatures;
    private final OncePerHour otherNumbers;
    private final Started<Running> running = new Started<>("The WhatsApp number");

    /** What runs between a start and a stop. */
    private record Running(WebhookServer server, Watch watch, Connection connection, URI address) {}

    WhatsAppCloudPlatform(ProviderSettings settings, WhatsAppCloudSettings cloud) {
        this.settings = settings;
        this.cloud = cloud;
        this.api = new GraphApi(
                settings.executor(), cloud.base(), cloud.number(), cloud.token().text());
        this.sender = new Sender(api, settings.clock(), seen, cloud.patience(), cloud.markdown());
        this.wrongSignatures = new OncePerHour(
                settings.clock(),
                () -> warn("A post to the webhook was refused, since its signature does not fit the secret in "
                        + cloud.secretVariable() + ". Where Meta sent it, copy the app's secret once more."));
        this.otherNumbers = new OncePerHour(
                settings.clock(),
                () -> warn("Meta posts what is said to another number than the one under "
                        + settings.nameOf(WhatsAppCloudSettings.NUMBER) + "; it is left out."));
    }

    @Override
    public Platform name() {
        return Platform.WHATSAPP_CLOUD;
    }

    @Override
    public Traits traits() {
        return new Traits(false, true, false).carryingFiles();
    }

    /** Any gateway may take a post, wherever the proxy sends it. */
    @Override
    public boolean isShared() {
        return true;
    }

    @Override
    public Optional<URI> address() {
        return running.found().map(Running::address);
    }

    @Override
    public void start(InboundListener listener) {
        Connection made = new Connection(Platform.WHATSAPP_CLOUD, "Meta's Graph API", listener, this::warn);
        Watch watch = new Watch(api, cloud, settings, made);
        boolean answers = watch.first();
        WebhookServer server = new WebhookServer(
                cloud.listening(),
                settings,
                new Signature(cloud.appSecret().text()),
                cloud.verifyToken().text(),
                intake(listener),
                wrongSignatures::happened);
        URI address = server.start();
        running.begin(new Running(server, watch, made, address));
        watch.start(answers);
    }

    private Intake intake(InboundListener listener) {
        FileFetch files = new FileFetch(new MetaFiles(api), MetaFiles.LARGEST, settings.media(), this::warn);
        return new Intake(
                new PostReader(cloud.number()),
                new HandingIn(files, listener, settings.executor(), LEAST_PAUSE),
                new Intake.Heard() {
                    @Override
                    public void wrote(String chat, String messageId) {
                        seen.wrote(chat, messageId);
                    }

                    @Override
                    public void anotherNumber() {
                        otherNumbers.happened();
                    }

                    @Override
                    public void status(Incoming.Status status) {
                        status.part().ifPresent(part -> seen.arrived(part, status.messageId()));
                        status.failure()
                                .ifPresent(why -> warn("A message that WhatsApp had taken was not delivered, " + why
                                        + "; the message is " + status.part().orElse("not known") + "."));
                    }
                },
                settings.clock(),
                this::warn);
    }

    private void warn(String line) {
        settings.warnings().accept(settings.path() + ": " + api.scrub(line));
    }

    @Override
    public Sent sendPart(Outgoing message) {
        return watched(() -> sender.send(message, List.of()));
    }

    @Override
    public Sent ask(Outgoing question, List<Choice> choices) {
        return watched(() -> sender.send(question, choices));
    }

    @Override
    public Duration typingLasts() {
        return TYPING;
    }

    @Override
    public void typing(Address where, boolean on) {
        if (on) {
            watched(() -> {
                sender.typing(where.chatId());
                return where;
            });
        }
    }

    @Override
    public void react(Address where, String messageId, Mark mark) {
        String emoji = switch (mark) {
            case RECEIVED -> "\uD83D\uDC40";
            case DONE -> "\u2705";
            case FAILED -> "\u274C";
            case NONE -> "";
        };
        watched(() -> {
            sender.react(where.chatId(), messageId, emoji);
            return messageId;
        });
    }

    /** Runs a call while the platform is started; where Meta is away or does not let it, the watch looks. */
    private <T> T watched(Supplier<T> call) {
        Watch watch = running.get().watch();
        try {
            return call.get();
        } catch (DeliveryFailed e) {
            if (e.kind() == DeliveryFailed.Kind.AWAY || e.kind() == DeliveryFailed.Kind.UNAUTHORIZED) {
                watch.look();
            }
            throw e;
        } catch (OutcomeUnknown e) {
            watch.look();
            throw e;
        }
    }

    @Override
    public Optional<Ailment> ailment() {
        return running.found().flatMap(now -> now.connection().ailment());
    }

    @Override
    public void stop() {
        running.end().ifPresent(last -> {
            last.server().stop();
            last.watch().stop();
        });
    }
}
