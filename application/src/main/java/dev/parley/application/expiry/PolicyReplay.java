package dev.parley.application.expiry;

import dev.parley.application.spi.Storage;
import dev.parley.domain.change.LaneEvent;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.reset.ResetPolicies;
import dev.parley.domain.reset.ResetPolicy;
import dev.parley.domain.reset.ResetReason;
import dev.parley.domain.reset.ResetRules;
import dev.parley.domain.session.SessionEntry;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.session.SessionPeer;
import dev.parley.domain.source.ChatType;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.transcript.Content;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.Rewind;
import dev.parley.domain.transcript.Role;
import dev.parley.domain.transcript.StoredMessage;
import dev.parley.domain.transcript.TokenEstimate;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Answers what another reset policy would have done to what has happened: who would have been reset, when, and how many tokens would
 * have been carried. Goes by what is stored: the times of the messages, and the lanes' history for what people did themselves
 * ({@code /new}, {@code /resume}, {@code /stop}), which ends a conversation under any policy. Background processes of the past are
 * not known, so none is assumed. Only reads.
 */
public final class PolicyReplay {
    private final Storage storage;
    private final ZoneId zone;

    /**
     * A reset.
     *
     * @param at the message before which it happens
     * @param reason why
     * @param lastActivity the last activity before it
     */
    public record Reset(Instant at, ResetReason reason, Instant lastActivity) {}

    /**
     * One lane under both policies.
     *
     * @param lane the lane
     * @param turns how many messages people wrote
     * @param happened the resets that happened
     * @param imagined the resets the other policies would have made
     * @param tokensCarried estimated tokens of earlier conversation that the agent was given, over all turns
     * @param tokensImagined the same under the other policies
     */
    public record LaneReplay(
            SessionKey lane,
            int turns,
            List<Reset> happened,
            List<Reset> imagined,
            long tokensCarried,
            long tokensImagined) {
        public LaneReplay {
            happened = List.copyOf(happened);
            imagined = List.copyOf(imagined);
        }
    }

    /**
     * Makes a replay.
     *
     * @param storage what has happened
     * @param zone the zone of the daily boundary
     */
    public PolicyReplay(Storage storage, ZoneId zone) {
        this.storage = storage;
        this.zone = zone;
    }

    /** Returns the lanes with any message since {@code since}, by key, under the policies that were and under {@code other}. */
    public List<LaneReplay> replay(ResetPolicies other, Instant since) {
        Map<SessionKey, Past> pasts = new TreeMap<>(Comparator.comparing(SessionKey::value));
        Map<SessionId, SessionKey> laneOf = new HashMap<>();
        storage.sessions()
                .forEach(session -> session.peer().ifPresent(peer -> {
                    laneOf.put(session.id(), peer.key());
                    past(pasts, peer.key()).knownFrom(peer);
                }));
        storage.lanes().forEach(lane -> {
            laneOf.putIfAbsent(lane.entry().sessionId(), lane.key());
            past(pasts, lane.key()).knownFrom(lane.entry());
        });
        storage.lanes().forEachEvent(since, event -> {
            event.to().ifPresent(id -> laneOf.putIfAbsent(id, event.lane()));
            event.from().ifPresent(id -> laneOf.putIfAbsent(id, event.lane()));
            past(pasts, event.lane()).add(event);
        });
        storage.transcripts().forEach(message -> {
            SessionKey lane = laneOf.get(message.session());
            if (lane != null
                    && message.state() != StoredMessage.State.REWOUND
                    && !message.message().at().isBefore(since)) {
                past(pasts, lane).add(message.message());
            }
        });
        List<LaneReplay> replays = new ArrayList<>();
        pasts.forEach((key, past) -> {
            if (past.turns() > 0) {
                replays.add(past.replay(key, other));
            }
        });
        return List.copyOf(replays);
    }

    private Past past(Map<SessionKey, Past> pasts, SessionKey key) {
        return pasts.computeIfAbsent(key, k -> new Past());
    }

    /** What was said at one instant; copies of a message in several sessions of a lane are one. */
    private static final class Said {
        private final Set<Copy> messages = new HashSet<>();
        boolean turn;
        long tokens;

        void add(Message message) {
            turn |= Rewind.isTurn(message);
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

        void add(Message message) {
            said.computeIfAbsent(message.at(), at -> new Said()).add(message);
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
            long imaginedTokens =
                    run(imagined, Optional.of(other.select(platform, chatType).policy()));
            return new LaneReplay(key, turns(), happened, imagined, carried, imaginedTokens);
        }

        /** Without a policy, the resets that happened are the resets. */
        private long run(List<Reset> made, Optional<ResetPolicy> policy) {
            Optional<Instant> last = Optional.empty();
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
                if (entry.getValue().turn && last.isPresent()) {
                    Optional<ResetReason> reason = policy.isPresent()
                            ? ResetRules.evaluate(policy.get(), since, at, zone)
                            : latestReset(since, at);
                    if (reason.isPresent()) {
                        made.add(new Reset(at, reason.get(), since));
                        context = 0;
                    }
                }
                carried += entry.getValue().turn ? context : 0;
                context += entry.getValue().tokens;
                last = Optional.of(at);
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
