package dev.parley.adapter.signal.inbound;

/** What chats are called. */
public final class Place {
    /** What a group's chat id begins with; the group's own id follows. */
    public static final String GROUP = "group:";

    private Place() {}
}
