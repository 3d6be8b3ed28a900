package dev.parley.adapter.console;

import dev.parley.application.port.GatewayInspection;
import dev.parley.domain.turn.TurnId;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;

/**
 * Where the traces of turns are looked at.
 *
 * @param address the address of a trace, with {@code {trace}} where its id goes; absent where none is set
 */
record Traces(Optional<String> address) {
    private static final String SETTING = "observers.otlp.trace_url";
    private static final String TRACE = "{trace}";

    /** Returns where the traces of a gateway are looked at. */
    static Traces of(GatewayInspection gateway) {
        return new Traces(gateway.settings().stream()
                .filter(setting -> setting.path().equals(SETTING))
                .map(setting -> setting.value().strip())
                .filter(text -> text.toLowerCase(Locale.ROOT).matches("https?://.*") && text.contains(TRACE))
                .findFirst());
    }

    boolean isThere() {
        return address.isPresent();
    }

    /** Returns a link to the trace of a turn: its id is the first 16 bytes of the SHA-256 of the turn's id. */
    Cell cell(TurnId turn) {
        return Cell.text("Trace", "trace")
                .to(address.map(text -> text.replace(TRACE, id(turn))).orElse(""));
    }

    static String id(TurnId turn) {
        try {
            byte[] digest =
                    MessageDigest.getInstance("SHA-256").digest(turn.value().getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest, 0, 16);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256", e);
        }
    }
}
