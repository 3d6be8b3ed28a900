package dev.parley.adapter.whatsapp.bridge;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.adapter.kit.json.Json;
import dev.parley.adapter.kit.json.Nulls;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A running bridge: one JSON object a line in both directions. It ends when its standard input does, so that it never outlives the
 * gateway. Safe for concurrent use; one thread reads.
 */
final class BridgeProcess implements AutoCloseable {
    private static final long STOP_MILLIS = 1_500;

    private final Process process;
    private final BufferedWriter out;
    private final BufferedReader in;
    private final AtomicLong calls = new AtomicLong();
    private final Map<Long, CompletableFuture<JsonNode>> called = new ConcurrentHashMap<>();
    private volatile boolean ended;

    BridgeProcess(Process process) {
        this.process = process;
        this.out = new BufferedWriter(new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8));
        this.in = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    /** Returns an empty word of this type. */
    static ObjectNode word(String type) {
        return Json.object().put("type", type);
    }

    /** Returns the next thing it says that is no answer to a call; absent once it has ended. */
    Optional<JsonNode> next() {
        try {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                JsonNode word = read(line);
                if (word.path("type").asText().equals("called")) {
                    Optional.ofNullable(called.remove(word.path("call").asLong()))
                            .ifPresent(call -> call.complete(word));
                } else {
                    return Optional.of(word);
                }
            }
        } catch (IOException broken) {
            // It has ended, or is about to.
        }
        failCalls();
        return Optional.empty();
    }

    private static JsonNode read(String line) {
        try {
            return Nulls.dropped(Json.MAPPER.readTree(line));
        } catch (JsonProcessingException notOurs) {
            return Json.object();
        }
    }

    private void failCalls() {
        ended = true;
        for (Long call : List.copyOf(called.keySet())) {
            Optional.ofNullable(called.remove(call))
                    .ifPresent(each -> each.completeExceptionally(new IOException("The bridge has ended.")));
        }
    }

    /** Tells it something; does nothing where it has ended. */
    void tell(ObjectNode word) {
        try {
            write(word);
        } catch (IOException ending) {
            // Whoever reads learns that it has ended.
        }
    }

    /** Asks it for something; completes once it has answered, exceptionally where it ends before. */
    CompletableFuture<JsonNode> call(ObjectNode word) {
        CompletableFuture<JsonNode> answer = new CompletableFuture<>();
        long call = calls.incrementAndGet();
        called.put(call, answer);
        try {
            write(word.put("call", call));
        } catch (IOException ending) {
            answer.completeExceptionally(ending);
        }
        if (ended) {
            failCalls();
        }
        return answer;
    }

    private void write(ObjectNode word) throws IOException {
        String line = Json.MAPPER.writeValueAsString(word);
        synchronized (out) {
            out.write(line);
            out.write('\n');
            out.flush();
        }
    }

    /** Ends it: lets it close its connection, and kills it where it has not ended soon. */
    @Override
    public void close() {
        tell(word("stop"));
        try {
            out.close();
        } catch (IOException ending) {
            // As it should.
        }
        try {
            if (!process.waitFor(STOP_MILLIS, TimeUnit.MILLISECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
        failCalls();
    }
}
