package dev.parley.fakes.telegram;

import java.util.Map;

/** An answer of the Bot API that is not ok. */
final class BotApiError extends Exception {
    private static final long serialVersionUID = 1L;

    final int code;
    final transient Map<String, Long> parameters;

    BotApiError(int code, String description, Map<String, Long> parameters) {
        super(description);
        this.code = code;
        this.parameters = Map.copyOf(parameters);
    }

    static BotApiError badRequest(String what) {
        return new BotApiError(400, "Bad Request: " + what, Map.of());
    }
}
