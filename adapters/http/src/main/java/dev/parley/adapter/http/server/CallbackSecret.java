package dev.parley.adapter.http.server;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** What posts to the callback are signed with, so that a receiver can tell the gateway from others. Safe for concurrent use. */
final class CallbackSecret {
    private static final String ALGORITHM = "HmacSHA256";

    private final SecretKeySpec key;

    CallbackSecret(String secret) {
        this.key = new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), ALGORITHM);
    }

    /**
     * Returns the signature of a body that is posted at a time: {@code t=SECONDS,v1=HEX}, where the hexadecimal number is the
     * HMAC-SHA256 of the seconds, a dot, and the body.
     */
    String sign(Instant at, byte[] body) {
        String seconds = String.valueOf(at.getEpochSecond());
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            mac.update((seconds + ".").getBytes(StandardCharsets.UTF_8));
            return "t=" + seconds + ",v1=" + HexFormat.of().formatHex(mac.doFinal(body));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Every Java platform has " + ALGORITHM, e);
        }
    }

    @Override
    public String toString() {
        return "(secret)";
    }
}
