package dev.parley.fakes.surroundings;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.fakes.proof.NodeLog;
import dev.parley.fakes.proof.Tokens;
import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A model behind the protocol of OpenAI-compatible servers. It answers with the marks of what it was asked last; sometimes slowly,
 * with an error, with half an answer, or not at all.
 */
public final class MoodyModel implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Long enough that people are shown the answer while it is written. */
    private static final String BEGINNING = "Heard, and very well, what was said: ";

    private final InstantSource clock;
    private final Chance chance;
    private final MoodyServer server;
    private final List<List<String>> calls = new ArrayList<>();
    private final List<NodeLog.Effect> effects = new ArrayList<>();
    private final Set<String> answers = new HashSet<>();
    private volatile boolean calm;

    /**
     * A model that listens.
     *
     * @param clock when what was asked came
     */
    public MoodyModel(long seed, InstantSource clock) throws IOException {
        this.clock = clock;
        chance = new Chance(seed);
        server = new MoodyServer(this::handle);
    }

    /** Returns where the gateway asks. */
    public String url() {
        return url("gateway");
    }

    /** Returns where a gateway of this name asks. */
    public String url(String by) {
        return server.url() + "/" + by + "/v1";
    }

    /** Returns who asked about what so far, and when, in the order of the calls. */
    public List<NodeLog.Effect> effects() {
        synchronized (calls) {
            return List.copyOf(effects);
        }
    }

    /** From now on every call is answered at once. */
    public void calmDown() {
        calm = true;
    }

    /** Returns the users' texts of each call so far, in the order of the calls. */
    public List<List<String>> calls() {
        synchronized (calls) {
            return List.copyOf(calls);
        }
    }

    /** Returns whether the text is an answer to one of the calls so far, or its beginning. */
    public boolean hasBegun(String text) {
        synchronized (answers) {
            return answers.stream().anyMatch(answer -> answer.startsWith(text));
        }
    }

    private void handle(MoodyServer.Request request, MoodyServer.Answer answer)
            throws IOException, InterruptedException {
        List<String> users = new ArrayList<>();
        for (JsonNode message : request.body().path("messages")) {
            if (message.path("role").asText().equals("user")) {
                users.add(message.path("content").asText());
            }
        }
        if (users.isEmpty()) {
            // Whoever asked was killed in the middle of the question.
            return;
        }
        List<String> asked = Tokens.in(users.get(users.size() - 1));
        synchronized (calls) {
            calls.add(List.copyOf(users));
            asked.forEach(token -> effects.add(new NodeLog.Effect(clock.instant(), request.by(), token)));
        }
        String text = BEGINNING + String.join(" ", asked);
        synchronized (answers) {
            answers.add(text);
        }
        int mood = calm ? 100 : chance.below(100);
        if (mood < 4) {
            answer.status(500);
        } else if (mood < 7) {
            answer.hang();
        } else if (mood < 10) {
            answer.events();
            answer.event(chunk(text));
        } else {
            int pause = mood < 30 ? chance.millis(50, 600) : mood < 100 ? chance.millis(0, 15) : 0;
            answer.events();
            answer.pause(pause);
            answer.event(chunk(BEGINNING));
            answer.pause(pause);
            answer.event(chunk(text.substring(BEGINNING.length())));
            answer.event("[DONE]");
        }
    }

    private static String chunk(String text) {
        ObjectNode chunk = JSON.createObjectNode();
        chunk.putArray("choices").addObject().put("index", 0).putObject("delta").put("content", text);
        return chunk.toString();
    }

    @Override
    public void close() {
        server.close();
    }
}
