package dev.parley.adapter.whatsapp.inbound;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.adapter.kit.flow.ChatOrder.Settlement;
import dev.parley.adapter.kit.flow.HandingIn;
import dev.parley.adapter.kit.flow.Overheard;
import dev.parley.adapter.kit.media.FileFetch;
import dev.parley.adapter.kit.media.RemoteFile;
import dev.parley.application.port.InboundListener;
import dev.parley.application.spi.ProviderSettings;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** Hands in what the bridge has in its spool. Safe for concurrent use. */
public final class Intake {
    private static final Duration LEAST_PAUSE = Duration.ofSeconds(1);
    /** A message that makes the gateway fail so often is left out: it would fail for ever. */
    private static final int MOST_FAILURES = 3;

    private final Groups groups;
    private final HandingIn handingIn;
    private final Consumer<String> warnings;
    private final Map<String, Integer> failures = new ConcurrentHashMap<>();

    /**
     * An intake for one account.
     *
     * @param groups which messages of groups are for the agent
     * @param observes whether what is said beside the agent in them is shown to it later
     * @param settings the platform's section
     * @param listener the gateway
     * @param warnings takes one line for each message or file that is left out
     */
    public Intake(
            Groups groups,
            boolean observes,
            ProviderSettings settings,
            InboundListener listener,
            Consumer<String> warnings) {
        this.groups = groups;
        this.warnings = warnings;
        this.handingIn = new HandingIn(
                new FileFetch(Intake::open, Long.MAX_VALUE, settings.media(), warnings),
                listener,
                settings.executor(),
                LEAST_PAUSE,
                new Overheard(observes, listener, settings.clock()));
    }

    /** The bridge has fetched the file; it names none where WhatsApp did not give it. */
    private static InputStream open(RemoteFile file) throws FileFetch.NotThere, IOException {
        if (file.id().isEmpty()) {
            throw new FileFetch.NotThere("WhatsApp does not give it");
        }
        return Files.newInputStream(Path.of(file.id()));
    }

    /** Hands in what somebody wrote; completes once it is settled or is to be offered again, never exceptionally. */
    public CompletionStage<Settlement> take(JsonNode word) {
        String name = word.path("name").asText();
        return CompletableFuture.completedFuture(word)
                .thenCompose(each -> handIn(Incoming.of(each, groups)))
                .handle((settlement, failure) -> {
                    if (failure == null) {
                        failures.remove(name);
                        return settlement;
                    }
                    return failed(name);
                });
    }

    private CompletionStage<Settlement> handIn(Incoming incoming) {
        if (incoming instanceof Incoming.Message message) {
            return handingIn.message(message.message());
        }
        if (incoming instanceof Incoming.Overheard said) {
            return handingIn.overheard(said.message());
        }
        if (incoming instanceof Incoming.Event event) {
            return handingIn.happened(event.what());
        }
        return CompletableFuture.completedFuture(Settlement.DONE);
    }

    private Settlement failed(String name) {
        if (failures.merge(name, 1, Integer::sum) < MOST_FAILURES) {
            return Settlement.later(LEAST_PAUSE);
        }
        failures.remove(name);
        warnings.accept("A message was left out: the gateway failed with it " + MOST_FAILURES + " times.");
        return Settlement.DONE;
    }
}
