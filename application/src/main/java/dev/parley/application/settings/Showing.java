package dev.parley.application.settings;

/**
 * What people of a platform see of a turn while it runs, where the platform can show it.
 *
 * @param typing whether they see that somebody writes
 * @param previews in which chats they see the answer while it is written
 * @param reactions whether their message is marked
 */
public record Showing(boolean typing, Previews previews, boolean reactions) {
    /** What holds where nothing is configured. */
    public static final Showing DEFAULT = new Showing(true, Previews.DIRECT, false);

    /** In which chats an answer is shown while it is written. */
    public enum Previews {
        /** In direct chats. */
        DIRECT,
        /** In all. */
        ALWAYS,
        /** In none. */
        NEVER
    }
}
