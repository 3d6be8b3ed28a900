package dev.parley.adapter.acp;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.adapter.kit.json.Json;
import dev.parley.application.port.AgentEvents;
import dev.parley.domain.text.OneLine;
import dev.parley.domain.transcript.Content;
import dev.parley.domain.transcript.Reasoning;
import dev.parley.domain.transcript.ToolCall;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.StringJoiner;
import java.util.function.Supplier;

/**
 * The tools that a program uses in one turn. Each is told with its result behind it, one after the other, although a program may use several at
 * once: then a transcript makes sense to whoever reads it later. A tool that others have waited for very long behind is told without a result.
 */
final class Tools {
    private static final String NO_RESULT = "(no result)";
    private static final int LONGEST_RESULT = 100_000;
    private static final int LONGEST_TITLE = 1_000;
    private static final int LONGEST_QUESTION = 1_000;

    /** So many characters may wait behind a tool that has not answered. */
    private static final int MOST_WAITING = 1_000_000;

    private final AgentEvents events;
    private final Supplier<Content> said;
    private final Map<String, Use> uses = new HashMap<>();
    private final Deque<Use> untold = new ArrayDeque<>();
    private final Set<String> told = new HashSet<>();
    private long waiting;

    /** One use of a tool; its title may become better while it runs. */
    private static final class Use {
        private final String id;
        private final String kind;
        private final String arguments;
        private String title;
        private boolean told;
        private Optional<String> result = Optional.empty();

        Use(String id, JsonNode call) {
            this.id = id;
            this.kind = Optional.of(Json.text(call, "kind"))
                    .filter(word -> !word.isEmpty())
                    .orElse("other");
            this.title = title(call);
            JsonNode input = call.path("rawInput");
            this.arguments = Json.write(input.isObject() ? input : Json.object().put("title", title));
        }

        private static String title(JsonNode described) {
            return OneLine.cut(Json.text(described, "title"), LONGEST_TITLE);
        }

        private int size() {
            return id.length()
                    + kind.length()
                    + arguments.length()
                    + result.map(String::length).orElse(0);
        }
    }

    /**
     * Nothing is used yet.
     *
     * @param events told what is used
     * @param said takes what was said along with a use
     */
    Tools(AgentEvents events, Supplier<Content> said) {
        this.events = events;
        this.said = said;
    }

    /** Takes notice of a use; returns what the program does now, for display. */
    String called(JsonNode call) {
        Use use = new Use(Json.text(call, "toolCallId"), call);
        if (!told.contains(use.id) && uses.putIfAbsent(use.id, use) == null) {
            untold.add(use);
            waiting += use.size();
        }
        updated(call);
        return use.title.isEmpty() ? "using a tool" : use.title;
    }

    /** Takes notice of how a use goes on. */
    void updated(JsonNode update) {
        Optional.ofNullable(uses.get(Json.text(update, "toolCallId"))).ifPresent(use -> {
            String title = Use.title(update);
            use.title = title.isEmpty() ? use.title : title;
            String status = Json.text(update, "status");
            if (use.result.isEmpty() && (status.equals("completed") || status.equals("failed"))) {
                waiting -= use.size();
                use.result = Optional.of(result(update, status));
                waiting += use.size();
            }
        });
        tell();
    }

    /** No tool goes on behind the end of a turn. */
    void end() {
        untold.forEach(use -> use.result = use.result.or(() -> Optional.of(NO_RESULT)));
        tell();
    }

    private void tell() {
        while (!untold.isEmpty()) {
            Use use = untold.element();
            if (!use.told) {
                use.told = true;
                events.toolsCalled(said.get(), List.of(new ToolCall(use.id, use.kind, use.arguments)), Reasoning.NONE);
            }
            if (use.result.isEmpty() && (untold.size() == 1 || waiting <= MOST_WAITING)) {
                return;
            }
            waiting -= use.size();
            untold.remove();
            uses.remove(use.id);
            told.add(use.id);
            events.toolAnswered(use.id, use.kind, Content.text(use.result.orElse(NO_RESULT)));
        }
    }

    private static String result(JsonNode update, String status) {
        StringJoiner text = new StringJoiner("\n");
        for (JsonNode each : update.path("content")) {
            String said = Json.text(each.path("content"), "text");
            if (!said.isEmpty()) {
                text.add(said);
            } else if (Json.text(each, "type").equals("diff")) {
                text.add("Changed " + Json.text(each, "path"));
            }
        }
        String whole = text.length() > 0
                ? text.toString()
                : update.has("rawOutput") ? Json.write(update.path("rawOutput")) : status;
        return whole.length() <= LONGEST_RESULT ? whole : whole.substring(0, LONGEST_RESULT) + "…";
    }

    /** Returns what a permission is for, as people read it. */
    String describe(JsonNode call) {
        String title = Optional.of(Json.text(call, "title"))
                .filter(words -> !words.isEmpty())
                .or(() -> Optional.ofNullable(uses.get(Json.text(call, "toolCallId")))
                        .map(use -> use.title))
                .filter(words -> !words.isEmpty())
                .orElse("something it does not name");
        String command = Json.text(call.path("rawInput"), "command");
        String question = "The agent wants to do this: " + title
                + (command.isEmpty() || title.contains(command) ? "" : "\n" + command);
        return question.length() <= LONGEST_QUESTION ? question : question.substring(0, LONGEST_QUESTION) + "…";
    }
}
