package dev.parley.application.scan;

import dev.parley.application.port.SessionListing;
import dev.parley.application.port.SessionQuery;
import dev.parley.domain.session.Ending;
import dev.parley.domain.session.Lineage;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.transcript.Content;
import dev.parley.domain.transcript.Role;
import dev.parley.domain.transcript.StoredMessage;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Lists of sessions (storage 3.7, 3.9), over the data at one moment. */
final class ListedSessions implements Lineage.Family {
    private static final int PREVIEW_READ = 63;
    private static final int PREVIEW_SHOWN = 60;

    private final Rows rows;
    private final List<Session> sessions;
    private final Map<SessionId, List<Session>> children;

    ListedSessions(Rows rows) {
        this.rows = rows;
        this.sessions = rows.sessions();
        this.children = sessions.stream()
                .filter(s -> s.parent().isPresent())
                .collect(Collectors.groupingBy(s -> s.parent().orElseThrow()));
    }

    List<SessionListing> list(SessionQuery query) {
        Comparator<Session> order = query.order() == SessionQuery.Order.STARTED
                ? ScannedSessions.NEWEST_FIRST
                : Comparator.comparing(this::lastActiveOfChain).reversed().thenComparing(ScannedSessions.NEWEST_FIRST);
        return sessions.stream()
                .filter(s -> query.children() || isRow(s))
                .filter(s -> ScannedSessions.isFrom(s, query.source()))
                .filter(s -> !query.exclude().contains(s.source()))
                .filter(s -> !query.titledOnly() || s.title().isPresent())
                .filter(s -> query.text().map(text -> contains(s, text)).orElse(true))
                .filter(s -> query.viewer().maySee(s))
                .sorted(order)
                .skip(Math.max(0, query.offset()))
                .limit(query.limit() < 0 ? Long.MAX_VALUE : query.limit())
                .map(s -> row(s, query))
                .toList();
    }

    private static boolean contains(Session session, String text) {
        String wanted = ScannedSessions.asciiLower(text);
        return ScannedSessions.asciiLower(session.id().value()).contains(wanted)
                || session.title()
                        .map(ScannedSessions::asciiLower)
                        .filter(t -> t.contains(wanted))
                        .isPresent();
    }

    /** A session stands in a row of its own unless it is a delegate or a continuation; a branch does. */
    private boolean isRow(Session session) {
        return session.parent().isEmpty()
                || session.parent()
                        .flatMap(rows::session)
                        .filter(parent -> follows(parent, session, "branched"))
                        .isPresent();
    }

    private static boolean follows(Session parent, Session child, String reason) {
        return parent.endedBy(reason)
                && parent.ending()
                        .map(Ending::at)
                        .filter(end -> !child.startedAt().isBefore(end))
                        .isPresent();
    }

    private List<Session> continuations(Session session) {
        return session.endedBy(Ending.COMPRESSION)
                ? childrenOf(session.id()).stream()
                        .filter(Lineage::isContinuation)
                        .toList()
                : List.of();
    }

    private Session tip(Session root) {
        return find(Lineage.compressionTip(root.id(), this)).orElse(root);
    }

    @Override
    public Optional<Session> find(SessionId id) {
        return rows.session(id);
    }

    @Override
    public List<Session> childrenOf(SessionId id) {
        return children.getOrDefault(id, List.of()).stream()
                .sorted(ScannedSessions.NEWEST_FIRST)
                .toList();
    }

    @Override
    public boolean hasMessages(Session session) {
        return !rows.messages(session.id()).isEmpty();
    }

    private SessionListing row(Session session, SessionQuery query) {
        Session tip = query.children() || !query.project() ? session : tip(session);
        if (tip.id().equals(session.id()) || !query.viewer().maySee(tip)) {
            return new SessionListing(session, preview(session.id()), lastActive(session), Optional.empty());
        }
        Session projected = session.toBuilder()
                .id(tip.id())
                .ending(tip.ending().orElse(null))
                .counts(tip.messageCount(), tip.toolCallCount())
                .title(tip.title().orElse(null))
                .model(tip.model().orElse(null))
                .systemPrompt(tip.systemPrompt().orElse(null))
                .build();
        return new SessionListing(projected, preview(tip.id()), lastActive(tip), Optional.of(session.id()));
    }

    private List<StoredMessage> shown(SessionId session) {
        return rows.messages(session).stream()
                .filter(m -> m.state() != StoredMessage.State.REWOUND)
                .toList();
    }

    @Override
    public Instant lastActive(Session session) {
        return shown(session.id()).stream()
                .map(m -> m.message().at())
                .max(Comparator.naturalOrder())
                .orElse(session.startedAt());
    }

    private Instant lastActiveOfChain(Session root) {
        Instant latest = lastActive(root);
        Set<SessionId> seen = new HashSet<>(Set.of(root.id()));
        List<Session> level = continuations(root);
        while (!level.isEmpty()) {
            List<Session> unseen = level.stream().filter(s -> seen.add(s.id())).toList();
            for (Session session : unseen) {
                Instant active = lastActive(session);
                latest = active.isAfter(latest) ? active : latest;
            }
            level = unseen.stream().flatMap(s -> continuations(s).stream()).toList();
        }
        return latest;
    }

    private String preview(SessionId session) {
        return shown(session).stream()
                .filter(m ->
                        m.message().role().equals(Role.USER) && !(m.message().content() instanceof Content.None))
                .min(Comparator.comparing((StoredMessage m) -> m.message().at()).thenComparing(StoredMessage::sequence))
                .map(m -> preview(m.message().content()))
                .orElse("");
    }

    private static String preview(Content content) {
        String said =
                content instanceof Content.Multipart && content.plainText().isBlank()
                        ? "[multimodal content]"
                        : content.plainText();
        String line = said.replace('\n', ' ').replace('\r', ' ');
        String read = trim(line.substring(0, line.offsetByCodePoints(0, Math.min(PREVIEW_READ, points(line)))));
        return points(read) <= PREVIEW_SHOWN
                ? read
                : read.substring(0, read.offsetByCodePoints(0, PREVIEW_SHOWN)) + "...";
    }

    private static int points(String text) {
        return text.codePointCount(0, text.length());
    }

    private static String trim(String text) {
        int start = 0;
        int end = text.length();
        while (start < end && isSpace(text.charAt(start))) {
            start++;
        }
        while (end > start && isSpace(text.charAt(end - 1))) {
            end--;
        }
        return text.substring(start, end);
    }

    private static boolean isSpace(char c) {
        return Character.isWhitespace(c) || Character.isSpaceChar(c) || c == 0x85;
    }
}
