package dev.parley.domain.context;

import dev.parley.domain.source.Platform;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collection;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Which platforms' ids are hidden from the model, and how (X9.7 to X9.10). Only the prompt's text is affected: routing,
 * keys and sends use the ids as they are. Names are never hidden.
 */
public final class Redaction {
    private static final Redaction OFF = new Redaction(Set.of());
    private static final Set<Platform> BUILT_IN =
            Set.of(Platform.WHATSAPP, Platform.SIGNAL, Platform.TELEGRAM, Platform.BLUEBUBBLES);
    private static final int HASH_BYTES = 6;

    private final Set<Platform> redacted;

    private Redaction(Set<Platform> redacted) {
        this.redacted = redacted;
    }

    /** Hides nothing. */
    public static Redaction off() {
        return OFF;
    }

    /**
     * Hides the ids of WhatsApp, Signal, Telegram and BlueBubbles and of the given platforms, whose adapters declare that
     * they do without raw ids in the prompt. Never those of Discord, whose mentions need them (X9.8).
     */
    public static Redaction on(Collection<Platform> piiSafe) {
        Set<Platform> redacted = new LinkedHashSet<>(BUILT_IN);
        redacted.addAll(piiSafe);
        redacted.remove(Platform.DISCORD);
        return new Redaction(redacted);
    }

    /** Whether ids of that platform are hidden. */
    public boolean redacts(Platform platform) {
        return redacted.contains(platform);
    }

    /** The user id as the prompt shows it: {@code user_} and 12 hex digits where it is hidden (X9.9). */
    public String userId(Platform platform, String userId) {
        return redacts(platform) ? "user_" + hash(userId) : userId;
    }

    /**
     * The chat id as the prompt shows it: 12 hex digits where it is hidden, after the part up to the first colon if there
     * is one, which stays (X9.9). An empty id, that is no chat, stays empty.
     */
    public String chatId(Platform platform, String chatId) {
        if (!redacts(platform) || chatId.isEmpty()) {
            return chatId;
        }
        int colon = chatId.indexOf(':');
        return colon > 0 ? chatId.substring(0, colon + 1) + hash(chatId.substring(colon + 1)) : hash(chatId);
    }

    private static String hash(String id) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(id.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest, 0, HASH_BYTES);
        } catch (NoSuchAlgorithmException missing) {
            throw new IllegalStateException("Every Java platform has SHA-256", missing);
        }
    }
}
