package dev.parley.application.expiry;

import dev.parley.application.port.Lanes;
import dev.parley.application.port.Sessions;
import dev.parley.application.port.Transcripts;
import dev.parley.application.spi.Storage;
import dev.parley.domain.change.LaneEvent;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.reset.AppliedPolicy;
import dev.parley.domain.reset.ResetPolicies;
import dev.parley.domain.reset.ResetPolicy;
import dev.parley.domain.reset.ResetReason;
import dev.parley.domain.reset.ResetRules;
import dev.parley.domain.session.Lane;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionEntry;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.session.SessionPeer;
import dev.parley.domain.source.ChatType;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.transcript.Content;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.Role;
import dev.parley.domain.transcript.StoredMessage;
import dev.parley.domain.transcript.TokenEstimate;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Answers what another reset policy would have done to what has happened: which sessions would have ended, when and why, and how many
 * tokens would have been carried. Goes by what is stored: the times of the messages, and the lanes' history for what people did
 * themselves ({@code /new}, {@code /resume}, {@code /stop}), which ends a conversation under any policy. Background processes of the
 * past are not known, so none is assumed. Only reads; holds the keys of the lanes, and the messages of one lane at a time. Safe for
 * concurrent use.
 */
public final class PolicyReplay {
    private final Lanes lanes;
    private final Sessions sessions;
    private final Transcripts transcripts;
    private final ZoneId zone;

    /**
     * A reset.
     *
     * @param at the message before which it happens
     * @param reason why
     * @param lastActivity the last activity before it
     * @param session the session that it ends: that of the last message before it
     */
    public record Reset(Instant at, ResetReason reason, Instant lastActivity, SessionId session) {}

    /**
     * One lane under both policies.
     *
     * @param lane the lane
     * @param policyFrom which of the other policies is the lane's, as a path of the configuration
     * @param turns how many messages people wrote
     * @param happened the resets that happened, in order
     * @param imagined the resets the other policies would have made, in order
     * @param tokensCarried estimated tokens of earlier conversation that the agent was given, over all turns
     * @param tokensImagined the same under the other policies
     */
    public record LaneReplay(
            SessionKey lane,
            String policyFrom,
            int turns,
            List<Reset> happened,
            List<Reset> imagined,
            long tokensCarried,
            long tokensImagined) {
        public LaneReplay {
            happened = List.copyOf(happened);
            imagined = List.copyOf(imagined);
        }

        /** Returns the resets the other policies would have made at messages before which none happened, in order. */
        public List<Reset> added() {
            return without(imagined, happened);
        }

        /** Returns the resets that happened at messages before which the other policies would have made none, in order. */
        public List<Reset> spared() {
            return without(happened, imagined);
        }

        private static List<Reset> without(List<Reset> some, List<Reset> others) {
            Set<Instant> known = new HashSet<>();
            others.forEach(reset -> known.add(reset.at()));
            return some.stream().filter(reset -> !known.contains(reset.at())).toList();
        }
    }

    /**
     * Makes a replay of what a store has.
     *
     * @param storage what has happened
     * @param zone the zone of the daily boundary
     */
    public PolicyReplay(Storage storage, ZoneId zone) {
        this(storage.lanes(), storage.sessions(), storage.transcripts(), zone);
    }

    /**
     * Makes a replay.
     *
     * @param lanes the lanes, and what happened to them
     * @param sessions the sessions
     * @param transcripts what was said
     * @param zone the zone of the daily boundary
     */
    public PolicyReplay(Lanes lanes, Sessions sessions, Transcripts transcripts, ZoneId zone) {
        this.lanes = lanes;
        this.sessions = sessions;
        this.transcripts = transcripts;
        this.zone = zone;
    }

    /** Returns the lanes with any message since {@code since}, by key, under the policies that were and under {@code other}. */
    public List<LaneReplay> replay(ResetPolicies other, Instant since) {
        List<LaneReplay> replays = new ArrayList<>();
        Walk walk = walk(other, since);
        while (!walk.isOver()) {
            walk.next().ifPresent(replays::add);
        }
        return List.copyOf(replays);
    }

    /**
     * Begins to go through the lanes one by one, so that the caller can show how far it is, rest between them, or stop. Reads the keys of
     * all lanes, also of those that were removed and whose sessions are kept.
     */
    public Walk walk(ResetPolicies other, Instant since) {
        Set<SessionKey> keys = new TreeSet<>(Comparator.comparing(SessionKey::value));
        lanes.forEach(lane -> keys.add(lane.key()));
        sessions.forEach(session -> session.peer().ifPresent(peer -> keys.add(peer.key())));
        return new Walk(new ArrayDeque<>(keys), other, since);
    }

    /** Goes through the lanes by key. Used by one thread at a time. */
    public final class Walk {
        private final Deque<SessionKey> left;
        private final ResetPolicies other;
        private final Instant since;
        private final long total;

        private Walk(Deque<SessionKey> left, ResetPolicies other, Instant since) {
            this.left = left;
            this.other = other;
            this.since = since;
            this.total = left.size();
        }

        /** Returns how many lanes there are. */
        public long total() {
            return total;
        }

        /** Returns how many lanes were looked at. */
        public long done() {
            return total - left.size();
        }

        /** Returns whether all lanes were looked at. */
        public boolean isOver() {
            return left.isEmpty();
        }

        /** Looks at the next lane; absent where nobody wrote to it since the time, or all were looked at. */
        public Optional<LaneReplay> next() {
            SessionKey key = left.poll();
            if (key == null) {
                return Optional.empty();
            }
            Past past = past(key, since);
            return past.turns() > 0 ? Optional.of(past.replay(key, other)) : Optional.empty();
        }
    }

    private Past past(SessionKey key, Instant since) {
        Past past = new Past();
        List<LaneEvent> events = events(key, since);
        events.forEach(past::add);
        Map<SessionId, Session> wanted = new LinkedHashMap<>();
        List<Session> own = sessions.ofLane(key, Integer.MAX_VALUE);
        for (int i = own.size() - 1; i >= 0; i--) {
            Session session = own.get(i);
            session.peer().ifPresent(past::knownFrom);
            wanted.put(session.id(), session);
        }
        Optional<Lane> lane = lanes.find(key);
        lane.ifPresent(found -> past.knownFrom(found.entry()));
        Set<SessionId> named = new LinkedHashSet<>();
        lane.ifPresent(found -> named.add(found.entry().sessionId()));
        events.forEach(event -> {
            event.from().ifPresent(named::add);
            event.to().ifPresent(named::add);
        });
        named.removeAll(wanted.keySet());
        for (SessionId id : named) {
            sessions.find(id).filter(session -> session.peer().isEmpty()).ifPresent(session -> wanted.put(id, session));
        }
        wanted.values().stream()
                .filter(session ->
                        session.ending().filter(end -> end.at().isBefore(since)).isEmpty())
                .forEach(session -> transcripts.loadAll(session.id()).stream()
                        .filter(message -> message.state() != StoredMessage.State.REWOUND)
                        .map(StoredMessage::message)
                        .filter(message -> !message.at().isBefore(since))
                        .forEach(message -> past.add(message, session.id())));
        return past;
    }

    /** Returns the lane's history since a time, in the order appended. */
    private List<LaneEvent> events(SessionKey key, Instant since) {
        List<LaneEvent> events = new ArrayList<>(lanes.history(key, Integer.MAX_VALUE).stream()
                .filter(event -> !event.at().isBefore(since))
                .toList());
        Collections.reverse(events);
        return events;
    }

    /** What was said at one instant; copies of a message in several sessions of a lane are one. */
    private static final class Said {
        private final Set<Copy> messages = new HashSet<>();
        private final SessionId session;
        boolean turn;
        long tokens;

        Said(SessionId session) {
            this.session = session;
        }

        void add(Message message) {
            turn |= message.isSaid();
            if (messages.add(new Copy(message.role(), message.content(), message.toolCallId()))) {
                tokens += tokens(message);
            }
        }

        /** What was counted when it was said goes before an estimate; a text that is not empty counts one token at least. */
        private static long tokens(Message message) {
            long estimate = Math.max(message.content().isBlank() ? 0 : 1, TokenEstimate.of(List.of(message)));
            return message.tokenCount()
                    .filter(n -> n > 0)
                    .map(Integer::longValue)
                    .orElse(estimate);
        }
    }

    private record Copy(Role role, Content content, Optional<String> toolCallId) {}

    /** What has happened on one lane. */
    private final class Past {
        private final TreeMap<Instant, Said> said = new TreeMap<>();
        private final List<LaneEvent> boundaries = new ArrayList<>();
        private final List<LaneEvent> resets = new ArrayList<>();
        private Optional<Platform> platform = Optional.empty();
        private ChatType chatType = ChatType.DM;

        void knownFrom(SessionPeer peer) {
            peer.origin().ifPresent(this::knownFrom);
        }

        private void knownFrom(SessionSource origin) {
            platform = Optional.of(origin.platform());
            chatType = origin.chatType();
        }

        void knownFrom(SessionEntry entry) {
            platform = entry.platform().or(() -> platform);
            chatType = entry.chatType();
        }

        void add(Message message, SessionId session) {
            said.computeIfAbsent(message.at(), at -> new Said(session)).add(message);
        }

        void add(LaneEvent event) {
            Optional<ResetReason> reason = ResetReason.parse(event.reason());
            boolean byPolicy = event.kind() == LaneEvent.Kind.RESET
                    && reason.filter(r -> r != ResetReason.SUSPENDED).isPresent();
            if (byPolicy) {
                resets.add(event);
            } else if (event.kind() == LaneEvent.Kind.RENEWED
                    || event.kind() == LaneEvent.Kind.RESET
                    || event.kind() == LaneEvent.Kind.SWITCHED) {
                boundaries.add(event);
            }
        }

        int turns() {
            return (int) said.values().stream().filter(s -> s.turn).count();
        }

        LaneReplay replay(SessionKey key, ResetPolicies other) {
            List<Reset> happened = new ArrayList<>();
            List<Reset> imagined = new ArrayList<>();
            long carried = run(happened, Optional.empty());
            AppliedPolicy policy = other.select(platform, chatType);
            long imaginedTokens = run(imagined, Optional.of(policy.policy()));
            return new LaneReplay(key, policy.origin(), turns(), happened, imagined, carried, imaginedTokens);
        }

        /** Without a policy, the resets that happened are the resets. */
        private long run(List<Reset> made, Optional<ResetPolicy> policy) {
            Optional<Instant> last = Optional.empty();
            Optional<SessionId> session = Optional.empty();
            long context = 0;
            long carried = 0;
            for (Map.Entry<Instant, Said> entry : said.entrySet()) {
                Instant at = entry.getKey();
                Instant before = last.orElse(at);
                Optional<Instant> boundary = latest(boundaries, before, at);
                if (boundary.isPresent()) {
                    context = 0;
                    before = boundary.get();
                }
                Instant since = before;
                if (entry.getValue().turn && last.isPresent() && session.isPresent()) {
                    Optional<ResetReason> reason = policy.isPresent()
                            ? ResetRules.evaluate(policy.get(), since, at, zone)
                            : latestReset(since, at);
                    if (reason.isPresent()) {
                        made.add(new Reset(at, reason.get(), since, session.get()));
                        context = 0;
                    }
                }
                carried += entry.getValue().turn ? context : 0;
                context += entry.getValue().tokens;
                last = Optional.of(at);
                session = Optional.of(entry.getValue().session);
            }
            return carried;
        }

        private Optional<Instant> latest(List<LaneEvent> events, Instant after, Instant until) {
            return events.stream()
                    .map(LaneEvent::at)
                    .filter(at -> at.isAfter(after) && !at.isAfter(until))
                    .max(Comparator.naturalOrder());
        }

        private Optional<ResetReason> latestReset(Instant after, Instant until) {
            return resets.stream()
                    .filter(event -> event.at().isAfter(after) && !event.at().isAfter(until))
                    .max(Comparator.comparing(LaneEvent::at))
                    .flatMap(event -> ResetReason.parse(event.reason()));
        }
    }
}
