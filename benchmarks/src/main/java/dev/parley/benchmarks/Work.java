package dev.parley.benchmarks;

/** What a gateway asks of its storage, as {@link Beside} measures it. */
enum Work {
    /** One message, durable on return. */
    APPEND,
    /** A thousand messages of a session, every column. */
    LOAD,
    /** A thousand messages of a session in the form an agent gets them. */
    REPLAY,
    /** Twenty sessions, the newest first. */
    LIST_STARTED,
    /** Twenty sessions, the last active first. */
    LIST_ACTIVE,
    /** Two words, best match first. */
    SEARCH_RANKED,
    /** A common word, newest first. */
    SEARCH_NEWEST,
    /** Two Chinese characters. */
    SEARCH_SHORT_CJK
}
