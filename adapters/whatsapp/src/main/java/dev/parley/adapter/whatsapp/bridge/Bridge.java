package dev.parley.adapter.whatsapp.bridge;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.adapter.kit.flow.ReadingThread;
import dev.parley.application.actor.Backoff;
import dev.parley.application.spi.ProviderSettings;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;

/**
 * Keeps the bridge's process running: starts it again after a pause that grows where it ends by itself, and ends it with the platform.
 * Safe for concurrent use.
 */
public final class Bridge {
    private static final Backoff AGAIN = new Backoff(Duration.ofSeconds(1), 6);
    private static final Duration HEALTHY = Duration.ofMinutes(1);

    private final Installation installation;
    private final ProviderSettings settings;
    private final ObjectNode begin;
    private final LinkState state;
    private final BiConsumer<Bridge, JsonNode> messages;
    private final ReadingThread thread;
    private volatile boolean stopped;
    private volatile Optional<BridgeProcess> running = Optional.empty();

    /**
     * A bridge that does not run yet.
     *
     * @param installation its program
     * @param settings the platform's section
     * @param phone the number to link by a code in letters; absent where the code is a picture
     * @param selfChat whether what the account's owner writes to themselves counts
     * @param state told how the link stands
     * @param messages takes this bridge and what people wrote, each to be {@linkplain #settled settled} or {@linkplain #later offered
     *     again}; called by one thread
     */
    public Bridge(
            Installation installation,
            ProviderSettings settings,
            Optional<String> phone,
            boolean selfChat,
            LinkState state,
            BiConsumer<Bridge, JsonNode> messages) {
        this.installation = installation;
        this.settings = settings;
        this.state = state;
        this.messages = messages;
        this.thread = new ReadingThread("whatsapp-bridge", settings.timers(), settings.ids(), state::failed);
        Path directory = settings.home().resolve("platforms").resolve("whatsapp");
        this.begin = BridgeProcess.word("begin")
                .put("directory", directory.toString())
                .put("session", session(settings.home(), directory).toString())
                .put("selfChat", selfChat)
                .put("largest", settings.media().largest());
        phone.ifPresent(number -> begin.put("phone", number));
    }

    /** Where the aliases are read from: the place of earlier programs, where that is in use (K5.17). */
    private static Path session(Path home, Path directory) {
        Path earlier = home.resolve("whatsapp").resolve("session");
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(earlier)) {
            return entries.iterator().hasNext() ? earlier : directory.resolve("session");
        } catch (IOException notThere) {
            return directory.resolve("session");
        }
    }

    /** Starts the process, and again where it ends. */
    public void start() {
        thread.start(this::run);
    }

    private void run() {
        int failures = 0;
        while (!stopped) {
            Instant begun = settings.clock().instant();
            serve();
            if (stopped) {
                return;
            }
            state.ended();
            boolean healthy =
                    Duration.between(begun, settings.clock().instant()).compareTo(HEALTHY) > 0;
            failures = healthy ? 0 : failures + 1;
            thread.pause(AGAIN.pause(failures, settings.ids()));
        }
    }

    private void serve() {
        try (BridgeProcess process = new BridgeProcess(installation.start(settings.environment()))) {
            process.tell(begin);
            running = Optional.of(process);
            // What stops the bridge sees the process, or this sees that it is stopped.
            for (Optional<JsonNode> word = process.next(); word.isPresent() && !stopped; word = process.next()) {
                take(word.get());
            }
        } catch (IOException e) {
            state.cannotStart(installation.node());
        } finally {
            running = Optional.empty();
        }
    }

    private void take(JsonNode word) {
        if (word.path("type").asText().equals("message")) {
            messages.accept(this, word);
        } else {
            state.told(word);
        }
    }

    /** Tells that a message is stored, or is never wanted. */
    public void settled(String name) {
        tell(BridgeProcess.word("taken").put("name", name));
    }

    /** Asks for a message to be offered again after a pause. */
    public void later(String name, Duration pause) {
        tell(BridgeProcess.word("later").put("name", name).put("pause", pause.toMillis()));
    }

    /** Tells the bridge something, where it runs. */
    public void tell(ObjectNode word) {
        running.ifPresent(process -> process.tell(word));
    }

    /** Returns an empty word of this type. */
    public static ObjectNode word(String type) {
        return BridgeProcess.word(type);
    }

    /** Asks the bridge for something; completes once it has answered, exceptionally where it ends before. Absent where it does not run. */
    public Optional<CompletableFuture<JsonNode>> call(ObjectNode word) {
        return running.map(process -> process.call(word));
    }

    /** Ends the process; returns once it has ended, after a few seconds at the latest. */
    public void stop() {
        stopped = true;
        running.ifPresent(BridgeProcess::close);
        thread.stop();
    }
}
