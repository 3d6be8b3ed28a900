package dev.parley.bootstrap.replay;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.application.port.AgentQuestion;
import dev.parley.application.port.AgentRun;
import dev.parley.application.replay.ScriptedTurn;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The forms of a line of a scenario; a component is null where its field is missing or null. */
final class ScenarioLine {
    private ScenarioLine() {}

    record Header(
            @Nullable String scenario,
            @Nullable String zone,
            @Nullable ObjectNode config,
            @Nullable List<String> leftOut) {}

    record Time(@Nullable LocalDateTime at) {}

    record Message(
            @Nullable Map<String, @Nullable Object> from,
            @Nullable String text,
            JsonLine.@Nullable Id messageId,
            @Nullable List<JsonNode> attachments) {}

    /** An attachment in the form of the HTTP platform; the second names are taken too. */
    record AttachmentFields(
            @Nullable String kind,
            @Nullable String type,
            @Nullable String url,
            @Nullable String location,
            @Nullable String path,
            @Nullable String name,
            @Nullable String mediaType,
            @Nullable String mimeType) {}

    record Agent(
            @Nullable String lane,
            @Nullable String reply,
            @Nullable Duration takes,
            @Nullable List<Tool> tools,
            ScriptedTurn.@Nullable Outcome outcome,
            @Nullable Usage usage,
            @Nullable Boolean obeys,
            @Nullable Boolean steers,
            @Nullable Asks asks,
            AgentRun.@Nullable Engagement engaged) {}

    record Tool(
            @Nullable String name,
            @Nullable JsonNode arguments,
            @Nullable JsonNode result) {}

    record Usage(
            JsonLine.@Nullable Count input,
            JsonLine.@Nullable Count output,
            JsonLine.@Nullable Count cacheRead,
            JsonLine.@Nullable Count cacheWrite,
            JsonLine.@Nullable Count reasoning) {}

    record Asks(AgentQuestion.@Nullable Kind kind, @Nullable String text) {}

    record Summary(@Nullable String text, @Nullable Duration takes) {}

    record Model(JsonLine.@Nullable Count contextLength) {}

    record Processes(
            @Nullable String lane,
            @Nullable Boolean active,
            @Nullable LocalDateTime since) {}

    record Storage(@Nullable StoreState state) {}

    record Connection(@Nullable String platform) {}

    record Config(@Nullable ObjectNode config) {}

    /** A line that says nothing but what happens. */
    record Plain() {}

    /** What becomes of the storage. */
    enum StoreState {
        UNAVAILABLE,
        FULL,
        BACK
    }
}
