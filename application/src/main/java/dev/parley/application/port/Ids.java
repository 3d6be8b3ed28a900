package dev.parley.application.port;

import java.time.Duration;

/** Makes everything that must be random or unique. Safe for concurrent use. */
public interface Ids {
    /** Returns eight random lower-case hex digits for a session id (E2.3). */
    String sessionSuffix();

    /** Returns a text that no other call in any process returns; beginning with {@code prefix} and a hyphen. */
    String unique(String prefix);

    /** Returns a random duration from {@code least} to {@code most}. */
    Duration jitter(Duration least, Duration most);
}
