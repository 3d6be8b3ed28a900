package dev.parley.bootstrap.json;

import dev.parley.application.view.PlainRows;
import dev.parley.domain.text.RawJson;
import dev.parley.domain.transcript.StoredMessage;
import dev.parley.domain.transcript.ToolCalls;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A message in an export of its session (storage 6). */
public final class ExportedMessage {
    private ExportedMessage() {}

    /** Returns its row. Tool calls that are no JSON are exported as none, so their text goes with them. */
    public static Map<String, @Nullable Object> row(StoredMessage stored) {
        Map<String, @Nullable Object> row = PlainRows.message(stored);
        stored.message()
                .toolCalls()
                .flatMap(ToolCalls::json)
                .map(RawJson::text)
                .filter(ExportedMessage::isMalformed)
                .ifPresent(text -> row.put("tool_calls_text", text));
        return row;
    }

    private static boolean isMalformed(String text) {
        try {
            Json.parse(text);
            return false;
        } catch (MalformedJson e) {
            return true;
        }
    }
}
