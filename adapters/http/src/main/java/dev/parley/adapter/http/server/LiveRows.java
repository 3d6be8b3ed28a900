package dev.parley.adapter.http.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.application.port.GatewayInspection.LaneState;
import dev.parley.application.view.PlainRows;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.TurnId;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Rows that only this interface shows; all others are those of {@link PlainRows}. Names are stable: some may
 * be added, none is renamed.
 */
final class LiveRows {
    private LiveRows() {}

    /** A lane with what it is doing. */
    static JsonNode lane(LaneState state, boolean awaitsPlace) {
        Map<String, @Nullable Object> row = new LinkedHashMap<>(PlainRows.lane(state.lane()));
        row.put("running", state.running());
        row.put("awaits_place", awaitsPlace);
        row.put("depth", state.depth());
        return Json.tree(row);
    }

    static ObjectNode outgoing(Outgoing message) {
        ObjectNode row = Json.object()
                .put("id", message.id().value())
                .put("lane", message.lane().map(key -> key.value()).orElse(null))
                .put("platform", message.platform().name())
                .put("chat_id", message.chatId())
                .put("thread_id", message.threadId().orElse(null))
                .put("kind", message.kind().text())
                .put("text", message.text())
                .put("turn", message.turn().map(TurnId::value).orElse(null))
                .put("created_at", message.createdAt().toString());
        return SentFiles.named(row, message);
    }
}
