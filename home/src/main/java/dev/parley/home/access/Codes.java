package dev.parley.home.access;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Locale;

/** Pairing codes: eight characters that are not taken for one another, kept only as a salted hash. */
public final class Codes {
    static final String LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
    static final int LENGTH = 8;

    private static final int SALT = 16;

    private final SecureRandom chance;

    /** Codes that nobody can foresee. */
    public Codes() {
        this(new SecureRandom());
    }

    Codes(SecureRandom chance) {
        this.chance = chance;
    }

    String code() {
        StringBuilder code = new StringBuilder(LENGTH);
        for (int i = 0; i < LENGTH; i++) {
            code.append(LETTERS.charAt(chance.nextInt(LETTERS.length())));
        }
        return code.toString();
    }

    String salt() {
        byte[] salt = new byte[SALT];
        chance.nextBytes(salt);
        return HexFormat.of().formatHex(salt);
    }

    /** Returns the hash of a code as people type it: case, blanks and dashes do not matter. */
    static String hash(String salt, String typed) {
        String code = typed.replaceAll("[\\s-]", "").toUpperCase(Locale.ROOT);
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            return HexFormat.of().formatHex(digest.digest((salt + ":" + code).getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java has SHA-256.", e);
        }
    }

    /** Compares two hashes in a time that does not depend on where they differ. */
    static boolean isSame(String one, String other) {
        return MessageDigest.isEqual(
                one.getBytes(StandardCharsets.US_ASCII), other.getBytes(StandardCharsets.US_ASCII));
    }
}
