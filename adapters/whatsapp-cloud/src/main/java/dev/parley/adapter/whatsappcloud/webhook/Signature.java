package dev.parley.adapter.whatsappcloud.webhook;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Locale;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** What Meta signs its posts with: the HMAC with SHA-256 of the bytes as they came, by the app's secret. Safe for concurrent use. */
public final class Signature {
    /** The header that carries it. */
    static final String HEADER = "X-Hub-Signature-256";

    private static final String ALGORITHM = "HmacSHA256";
    private static final String BEGINS = "sha256=";

    private final byte[] secret;

    /** Signatures by this secret. */
    public Signature(String appSecret) {
        this.secret = appSecret.getBytes(StandardCharsets.UTF_8);
    }

    /** Returns whether a header signs these bytes; takes as long for a wrong one as for the right one. */
    boolean fits(byte[] body, String header) {
        String text = header.strip().toLowerCase(Locale.ROOT);
        if (!text.startsWith(BEGINS)) {
            return false;
        }
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(secret, ALGORITHM));
            return MessageDigest.isEqual(mac.doFinal(body), HexFormat.of().parseHex(text.substring(BEGINS.length())));
        } catch (IllegalArgumentException notHexadecimal) {
            return false;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Every Java has HmacSHA256.", e);
        }
    }

    @Override
    public String toString() {
        return "(secret)";
    }
}
