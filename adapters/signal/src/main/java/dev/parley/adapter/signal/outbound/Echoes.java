package dev.parley.adapter.signal.outbound;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * What the account has sent to itself, which its other devices may tell of. A message is recognised by its timestamp; one whose sending
 * has no answer, or none yet, by its text. Safe for concurrent use.
 */
public final class Echoes {
    private static final int MANY = 1_000;

    private final Set<Long> sent = new LinkedHashSet<>();
    private final List<String> open = new ArrayList<>();

    /** Nothing sent yet. */
    public Echoes() {}

    /** A text is about to be sent to the account itself. */
    synchronized void sending(String text) {
        open.add(text);
        if (open.size() > MANY) {
            open.remove(0);
        }
    }

    /** A text was sent. */
    synchronized void sent(String text, long timestamp) {
        open.remove(text);
        sent.add(timestamp);
        if (sent.size() > MANY) {
            sent.remove(sent.iterator().next());
        }
    }

    /** A text was not sent. */
    synchronized void notSent(String text) {
        open.remove(text);
    }

    /** Returns whether a message that another device tells of was sent here. */
    public synchronized boolean isOurs(long timestamp, String text) {
        return sent.contains(timestamp) || open.remove(text);
    }
}
