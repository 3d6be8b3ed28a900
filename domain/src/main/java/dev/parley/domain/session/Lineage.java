package dev.parley.domain.session;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** How sessions follow one another: continuations after compression, and ancestors (storage 3.7). */
public final class Lineage {
    private static final int MOST_HOPS = 100;
    private static final int MOST_RESUME_HOPS = 32;
    private static final String TOOL_SOURCE = "tool";
    private static final String BRANCH_MARK = "\"_branched_from\"";
    private static final String DELEGATE_MARK = "\"_delegate_from\"";

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
     * Returns the session that continues a compressed one, at the end of the chain, for lanes, lists and names (storage 3.7): from each session that ended with
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

    /** Returns false for branches, delegates and tool sessions, which do not continue their parent. */
    public static boolean isContinuation(Session child) {
        return !child.source().equals(TOOL_SOURCE) && !isMarked(child, BRANCH_MARK) && !isDelegate(child);
    }

    /**
     * Returns whether a session continues its parent: the parent was compressed, and the child is a continuation,
     * whether it was begun after the parent's end or shortly before.
     *
     * @param parentEnd how the parent ended; absent where there is no parent, or where it is live
     */
    public static boolean continues(Session child, Optional<Ending> parentEnd) {
        return parentEnd.filter(end -> end.isBecause(Ending.COMPRESSION)).isPresent() && isContinuation(child);
    }

    /**
     * Returns whether lists show a session in its own row (storage 3.9): one without a parent has, and a branch, which is
     * marked as one or was begun when its parent had ended as branched; a continuation and a delegate have none, and a
     * delegate has none either once its parent is deleted.
     *
     * @param parentEnd how the parent ended; absent where it is not stored, or where it is live
     */
    public static boolean standsAlone(Session session, Optional<Ending> parentEnd) {
        return !isDelegate(session)
                && (session.parent().isEmpty()
                        || isMarked(session, BRANCH_MARK)
                        || parentEnd
                                .filter(end -> end.isBecause(Ending.BRANCHED)
                                        && !session.startedAt().isBefore(end.at()))
                                .isPresent());
    }

    /** Returns whether the session is marked as a delegate: made by another session for a subtask. */
    public static boolean isDelegate(Session session) {
        return isMarked(session, DELEGATE_MARK);
    }

    private static boolean isMarked(Session session, String mark) {
        return session.modelConfig().filter(json -> json.text().contains(mark)).isPresent();
    }

    /** Returns the time of the latest message of a session and of all that continue it, else the latest start. */
    public static Instant lastActiveOfChain(Session root, Family family) {
        Instant latest = family.lastActive(root);
        if (!root.endedBy(Ending.COMPRESSION)) {
            return latest;
        }
        Set<SessionId> seen = new HashSet<>(Set.of(root.id()));
        Deque<Session> next = new ArrayDeque<>(continuations(root, family));
        while (!next.isEmpty()) {
            Session session = next.remove();
            if (seen.add(session.id())) {
                Instant active = family.lastActive(session);
                latest = active.isAfter(latest) ? active : latest;
                next.addAll(continuations(session, family));
            }
        }
        return latest;
    }

    private static List<Session> continuations(Session parent, Family family) {
        return parent.endedBy(Ending.COMPRESSION)
                ? family.childrenOf(parent.id()).stream()
                        .filter(Lineage::isContinuation)
                        .toList()
                : List.of();
    }

    /**
     * Returns the row of a compressed session that shows its chain's tip (storage 3.9): the tip's id, end, counts, title, model and
     * system prompt, and everything else of the root.
     */
    public static Session projected(Session root, Session tip) {
        return root.toBuilder()
                .id(tip.id())
                .ending(tip.ending().orElse(null))
                .unendedReason(tip.unendedReason().orElse(null))
                .counts(tip.messageCount(), tip.toolCallCount())
                .title(tip.title().orElse(null))
                .model(tip.model().orElse(null))
                .systemPrompt(tip.systemPrompt().orElse(null))
                .build();
    }

    private static int preference(Session child) {
        if (child.endedBy(Ending.COMPRESSION)) {
            return 2;
        }
        return child.isLive() ? 1 : 0;
    }

    /**
     * Returns the session to resume where {@code start} was asked for: itself if it has messages, else the first with
     * messages on the way along the newest children, at most 32 steps; itself if no session on the way has messages (storage 3.7).
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

    /**
     * Returns the session to resume as later versions of the shared file choose it: the tip of the chain if it has messages, else the
     * last with messages on the way along the tip's newest continuations, at most 32 steps; the tip if no session on the way has messages (storage 3.7).
     */
    public static SessionId resumeIdAtTip(SessionId start, Family family) {
        SessionId tip = compressionTip(start, family);
        Optional<Session> first = family.find(tip);
        if (first.isEmpty() || family.hasMessages(first.get())) {
            return tip;
        }
        SessionId current = tip;
        SessionId found = tip;
        Set<SessionId> seen = new HashSet<>(Set.of(tip));
        for (int hop = 0; hop < MOST_RESUME_HOPS; hop++) {
            Optional<Session> child = family.childrenOf(current).stream()
                    .filter(Lineage::isContinuation)
                    .max(Comparator.comparing(Session::startedAt).thenComparing(Session::id));
            if (child.isEmpty() || !seen.add(child.get().id())) {
                return found;
            }
            current = child.get().id();
            found = family.hasMessages(child.get()) ? current : found;
        }
        return found;
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
