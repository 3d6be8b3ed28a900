package dev.parley.adapter.http.server;

import dev.parley.application.spi.WebRole;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Who is logged in, in memory only: a restart logs everybody out, and no file holds anything a session could be made from. Ids
 * and codes are kept as digests. Safe for concurrent use.
 */
final class LoginSessions {
    static final Duration LONGEST = Duration.ofHours(12);
    private static final Duration IDLE = Duration.ofMinutes(60);
    private static final Duration CODE = Duration.ofSeconds(60);
    private static final int MOST = 100;
    private static final int BYTES = 32;

    private final InstantSource clock;
    private final SecureRandom random = new SecureRandom();
    private final Map<String, Session> sessions = new HashMap<>();
    private final Map<String, Instant> codes = new HashMap<>();

    /**
     * Somebody who is logged in.
     *
     * @param name how audits name it: the first characters of its digest
     * @param role what it may do
     * @param key what its forms are signed with
     * @param made when it began
     * @param used when it was used last
     */
    record Session(String name, WebRole role, String key, Instant made, Instant used) {
        boolean isOver(Instant now) {
            return !now.isBefore(made.plus(LONGEST)) || !now.isBefore(used.plus(IDLE));
        }
    }

    LoginSessions(InstantSource clock) {
        this.clock = clock;
    }

    /** Begins a session and returns its id, which nobody else knows. */
    synchronized String begin(WebRole role) {
        Instant now = clock.instant();
        sessions.values().removeIf(session -> session.isOver(now));
        if (sessions.size() >= MOST) {
            sessions.entrySet().stream()
                    .min(Comparator.comparing(each -> each.getValue().used()))
                    .ifPresent(oldest -> sessions.remove(oldest.getKey()));
        }
        String id = secret();
        String digest = digest(id);
        sessions.put(digest, new Session(digest.substring(0, 8), role, secret(), now, now));
        return id;
    }

    /** Returns the session with this id, used now; nothing where there is none or it is over. */
    synchronized Optional<Session> use(String id) {
        String digest = digest(id);
        Instant now = clock.instant();
        Session session = sessions.get(digest);
        if (session == null || session.isOver(now)) {
            sessions.remove(digest);
            return Optional.empty();
        }
        Session used = new Session(session.name(), session.role(), session.key(), session.made(), now);
        sessions.put(digest, used);
        return Optional.of(used);
    }

    /** Returns whether somebody of this name is logged in; asking does not count as use. */
    synchronized boolean has(String name) {
        Instant now = clock.instant();
        return sessions.values().stream().anyMatch(session -> session.name().equals(name) && !session.isOver(now));
    }

    synchronized void end(String id) {
        sessions.remove(digest(id));
    }

    /** Returns a code that begins one session within a minute. */
    synchronized String code() {
        Instant now = clock.instant();
        codes.values().removeIf(until -> !now.isBefore(until));
        if (codes.size() >= MOST) {
            codes.clear();
        }
        String code = secret();
        codes.put(digest(code), now.plus(CODE));
        return code;
    }

    /** Returns whether a code was good; it is not a second time. */
    synchronized boolean take(String code) {
        Instant until = codes.remove(digest(code));
        return until != null && clock.instant().isBefore(until);
    }

    /** Returns what a session's forms carry, another one each time, so that a compressed page tells nothing of it. */
    String csrf(Session session) {
        byte[] mask = new byte[BYTES];
        random.nextBytes(mask);
        byte[] proof = proof(session);
        byte[] both = new byte[2 * BYTES];
        for (int i = 0; i < BYTES; i++) {
            both[i] = mask[i];
            both[BYTES + i] = (byte) (mask[i] ^ proof[i]);
        }
        return Base64.getUrlEncoder().withoutPadding().encodeToString(both);
    }

    /** Returns whether a form carries what its session's forms carry. */
    boolean isOf(Session session, String csrf) {
        byte[] both;
        try {
            both = Base64.getUrlDecoder().decode(csrf);
        } catch (IllegalArgumentException notOurs) {
            return false;
        }
        if (both.length != 2 * BYTES) {
            return false;
        }
        byte[] shown = new byte[BYTES];
        for (int i = 0; i < BYTES; i++) {
            shown[i] = (byte) (both[i] ^ both[BYTES + i]);
        }
        return MessageDigest.isEqual(shown, proof(session));
    }

    private static byte[] proof(Session session) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(session.key().getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
            return mac.doFinal("csrf".getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Every Java platform has HmacSHA256", e);
        }
    }

    private String secret() {
        byte[] bytes = new byte[BYTES];
        random.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    private static String digest(String text) {
        try {
            return Base64.getUrlEncoder()
                    .withoutPadding()
                    .encodeToString(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Every Java platform has SHA-256", e);
        }
    }
}
