package dev.parley.domain.transcript;

/**
 * Who speaks in a message. An open set: a text that is none of the constants is kept as it is, and case matters.
 *
 * @param name the role as stored
 */
public record Role(String name) {
    /** A person. */
    public static final Role USER = new Role("user");
    /** The agent. */
    public static final Role ASSISTANT = new Role("assistant");
    /** The result of a tool call. */
    public static final Role TOOL = new Role("tool");
    /** Instructions to the model. */
    public static final Role SYSTEM = new Role("system");
    /** Stands in where a message came without a role (O4.13). */
    public static final Role UNKNOWN = new Role("unknown");
    /** Bookkeeping rows written by other systems; never shown to a model. */
    public static final Role SESSION_META = new Role("session_meta");
}
