package dev.parley.fakes.chaos;

/** What a gateway has beside a platform over HTTP and a store. What it lacks is not asked of it; the run says so in its figures. */
public enum Ability {
    /** Its agent asks the model of {@link Around#model()}, so that what it was told can be looked at. Without it the agent answers with what it was asked. */
    MODEL,
    /** It goes on while its storage fails, and merges back what it kept. Without it messages are refused meanwhile. */
    FALLBACK,
    /** Its store is the SQLite file {@link Around#sqlite()}, so that another process can lock it. */
    SQLITE,
    /** Its store can be read while it runs. Without it the run stops the gateway to look. */
    READ_BESIDE_WRITER,
    /** Bridges may hand in messages for the platform {@code matrix}, with {@link Around#bridgeToken()}. */
    BRIDGE,
    /** It has the bot of {@link Around#telegram()}. */
    TELEGRAM,
    /** It has the app of {@link Around#slack()}. */
    SLACK
}
