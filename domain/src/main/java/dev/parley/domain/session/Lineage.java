package dev.parley.domain.session;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** How sessions follow one another: continuations after compression, and ancestors (storage 3.7). */
public final class Lineage {
    private static final int MOST_HOPS = 100;
    private static final int MOST_RESUME_HOPS = 32;
    private static final String TOOL_SOURCE = "tool";
    private static final List<String> SIDEWAYS = List.of("\"_branched_from\"", "\"_delegate_from\"");

    private Lineage() {}

    /** What is known of sessions and their children. */
    public interface Family {
        /** Returns the session, or nothing. */
        Optional<Session> find(SessionId id);

        /** Returns the sessions whose parent is this one, newest start first, then greatest id. */
        List<Session> childrenOf(SessionId id);

        /** Returns the time of the session's latest message, else its start. */
        Instant lastActive(Session session);

        /** Returns whether the session has any message. */
        boolean hasMessages(Session session);
    }

    /**
     * Returns the session in which a compressed one goes on, at the end of the chain: from each session that ended with
     * {@link Ending#COMPRESSION} to its child, branches, delegates and tool sessions aside; a child that was compressed itself
     * before a live one, a live one before an ended one, then the latest active, the newest, the greatest id (G3.14). At most
     * 100 steps, none twice. An unknown session and one without a continuation are their own.
     */
    public static SessionId compressionTip(SessionId start, Family family) {
        SessionId current = start;
        Set<SessionId> seen = new HashSet<>();
        for (int hop = 0; hop < MOST_HOPS && seen.add(current); hop++) {
            Optional<Session> session = family.find(current);
            if (session.isEmpty() || !session.get().endedBy(Ending.COMPRESSION)) {
                return current;
            }
            Optional<Session> next = continuation(current, family);
            if (next.isEmpty() || seen.contains(next.get().id())) {
                return current;
            }
            current = next.get().id();
        }
        return current;
    }

    /**
     * Returns the session that stands for a compressed one in lists and names (storage 3.7): from each session that ended with
     * {@link Ending#COMPRESSION} to its newest child that began when it ended or later, of equal starts the greatest id, whatever
     * the child is. At most 100 steps, none twice. An unknown session and one without such a child are their own.
     */
    public static SessionId newestContinuation(SessionId start, Family family) {
        SessionId current = start;
        Set<SessionId> seen = new HashSet<>();
        for (int hop = 0; hop < MOST_HOPS && seen.add(current); hop++) {
            Optional<Session> next = family.find(current).flatMap(session -> newestAfter(session, family));
            if (next.isEmpty() || seen.contains(next.get().id())) {
                return current;
            }
            current = next.get().id();
        }
        return current;
    }

    private static Optional<Session> newestAfter(Session compressed, Family family) {
        return compressed
                .ending()
                .filter(end -> compressed.endedBy(Ending.COMPRESSION))
                .flatMap(end -> family.childrenOf(compressed.id()).stream()
                        .filter(child -> !child.startedAt().isBefore(end.at()))
                        .max(Comparator.comparing(Session::startedAt).thenComparing(Session::id)));
    }

    private static Optional<Session> continuation(SessionId parent, Family family) {
        List<Session> candidates = family.childrenOf(parent).stream()
                .filter(Lineage::isContinuation)
                .toList();
        if (candidates.size() < 2) {
            return candidates.stream().findFirst();
        }
        return candidates.stream()
                .max(Comparator.comparingInt(Lineage::preference)
                        .thenComparing(family::lastActive)
                        .thenComparing(Session::startedAt)
                        .thenComparing(Session::id));
    }

    /** Returns false for branches, delegates and tool sessions, which do not go on where their parent stopped. */
    public static boolean isContinuation(Session child) {
        String config = child.modelConfig().map(json -> json.text()).orElse("");
        return !child.source().equals(TOOL_SOURCE) && SIDEWAYS.stream().noneMatch(config::contains);
    }

    private static int preference(Session child) {
        if (child.endedBy(Ending.COMPRESSION)) {
            return 2;
        }
        return child.isLive() ? 1 : 0;
    }

    /**
     * Returns the session to go on with where {@code start} was asked for: itself if it has messages, else the first with
     * messages on the way along the newest children, at most 32 steps; itself where there is none (storage 3.7).
     */
    public static SessionId resumeId(SessionId start, Family family) {
        Optional<Session> first = family.find(start);
        if (first.isEmpty() || family.hasMessages(first.get())) {
            return start;
        }
        SessionId current = start;
        Set<SessionId> seen = new HashSet<>(Set.of(start));
        for (int hop = 0; hop < MOST_RESUME_HOPS; hop++) {
            Optional<Session> child = family.childrenOf(current).stream()
                    .max(Comparator.comparing(Session::startedAt).thenComparing(Session::id));
            if (child.isEmpty() || !seen.add(child.get().id())) {
                return start;
            }
            if (family.hasMessages(child.get())) {
                return child.get().id();
            }
            current = child.get().id();
        }
        return start;
    }

    /** Returns the chain of parents from the root to this session, itself last; at most 100 parents, none twice. */
    public static List<SessionId> ancestors(SessionId id, Family family) {
        List<SessionId> chain = new ArrayList<>();
        Set<SessionId> seen = new HashSet<>();
        Optional<SessionId> current = Optional.of(id);
        while (current.isPresent() && chain.size() <= MOST_HOPS && seen.add(current.get())) {
            chain.add(current.get());
            current = current.flatMap(family::find).flatMap(Session::parent);
        }
        Collections.reverse(chain);
        return List.copyOf(chain);
    }
}
