package dev.parley.contracts.storage;

import dev.parley.application.spi.Storage;
import dev.parley.domain.change.Batch;
import dev.parley.domain.change.BatchId;
import dev.parley.domain.change.Change;
import dev.parley.domain.change.Precondition;
import dev.parley.domain.change.SessionEdit;
import dev.parley.domain.key.Isolation;
import dev.parley.domain.key.KeyRules;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.Ending;
import dev.parley.domain.session.Lane;
import dev.parley.domain.session.ResumeReason;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionEntry;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.session.SessionPeer;
import dev.parley.domain.session.Viewer;
import dev.parley.domain.source.CursorName;
import dev.parley.domain.source.Platform;
import dev.parley.domain.text.RawJson;
import dev.parley.domain.transcript.Content;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.MessageId;
import dev.parley.domain.transcript.Role;
import dev.parley.domain.transcript.StoredMessage;
import dev.parley.domain.turn.Hold;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.turn.InboundId;
import dev.parley.domain.turn.LifeId;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.PrecedingMessage;
import dev.parley.domain.turn.ReplyTo;
import dev.parley.domain.turn.RunId;
import dev.parley.domain.turn.SentPart;
import dev.parley.domain.turn.Turn;
import dev.parley.domain.turn.TurnId;
import dev.parley.domain.turn.TurnReason;
import dev.parley.domain.turn.TurnUsage;
import dev.parley.domain.usage.Billing;
import dev.parley.domain.usage.TokenUsage;
import dev.parley.domain.usage.UsageSlot;
import dev.parley.domain.usage.UsageUpdate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/**
 * Makes batches at random that mostly make sense for what a store holds, and sometimes do not: conflicts and refusals are part of
 * a run. The same seed and the same store give the same batches.
 */
final class RandomOperations {
    static final List<String> WORDS = List.of(
            "zanzibar", "docker", "deploy*", "\"docker deploy\"", "zanzibar NOT docker", "大别山", "漓江", "cafe", "lookup");

    private static final List<String> TEXTS = List.of(
            "zanzibar", "docker deploy", "deploy docker, deployed", "大别山项目", "去漓江", "Café", "", "🚀 line\nline", "x");
    private static final List<String> SOURCES = List.of("telegram", "slack", "cli");
    private static final List<String> CHATS = List.of("1", "2", "3");
    private static final KeyRules RULES = new KeyRules(Isolation.DEFAULT, identifier -> Set.of());

    private final Random random;
    private final Storage model;
    private long made;
    private long sequence;

    RandomOperations(long seed, Storage model) {
        this.random = new Random(seed);
        this.model = model;
    }

    /** People who look. */
    static List<Viewer> viewers() {
        return List.of(
                new Viewer.ChatUser(Samples.source("1", "u-1"), RULES),
                new Viewer.ChatUser(Samples.source("2", "u-1"), RULES));
    }

    Batch next() {
        List<Change> changes = new ArrayList<>();
        List<Precondition> preconditions = new ArrayList<>();
        if (chance(3)) {
            preconditions.add(precondition());
        }
        changes.addAll(lineage());
        int more = random.nextInt(4);
        for (int i = 0; i < more; i++) {
            changes.add(change());
        }
        return new Batch(new BatchId("random", ++sequence), preconditions, changes);
    }

    private boolean chance(int oneIn) {
        return random.nextInt(oneIn) == 0;
    }

    private <T> T any(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }

    private String name(String prefix) {
        return prefix + ++made;
    }

    private Instant now() {
        return Samples.at(10 * ++made);
    }

    private List<Session> sessions() {
        List<Session> all = new ArrayList<>();
        model.sessions().forEach(all::add);
        return all;
    }

    private SessionId session() {
        List<Session> all = sessions();
        return all.isEmpty() || chance(25) ? Samples.id("missing") : any(all).id();
    }

    /** At most one change of who continues whom in a batch. */
    private List<Change> lineage() {
        List<Session> all = sessions();
        if (all.isEmpty() || chance(3)) {
            return List.of(new Change.CreateSession(fresh(Optional.empty(), any(SOURCES))));
        }
        Session session = any(all);
        boolean alone =
                session.isLive() && model.sessions().childrenOf(session.id()).isEmpty();
        return switch (random.nextInt(12)) {
            case 0 -> alone ? continued(session, Ending.COMPRESSION) : List.of();
            case 1 -> session.isLive() ? continued(session, "branched") : List.of();
            case 2 ->
                session.isLive()
                        ? List.of(new Change.CreateSession(fresh(Optional.of(session.id()), session.source())))
                        : List.of();
            case 3 -> List.of(new Change.DeleteSession(session.id()));
            case 4 -> List.of(new Change.EditSession(session.id(), new SessionEdit.Reopen()));
            case 5 -> List.of(new Change.EditSession(session.id(), new SessionEdit.Parent(Optional.empty())));
            case 6 -> List.of(new Change.CreateSession(sideways(session)));
            case 7 -> session.isLive() ? begunBeforeTheEnd(session) : List.of();
            default -> List.of();
        };
    }

    private List<Change> continued(Session session, String reason) {
        return List.of(
                new Change.EditSession(session.id(), new SessionEdit.End(Ending.of(now(), reason))),
                new Change.CreateSession(fresh(Optional.of(session.id()), session.source())));
    }

    /** A child that does not go on where its parent stopped, whatever its parent has ended by. */
    private Session sideways(Session parent) {
        Session child = fresh(Optional.of(parent.id()), chance(3) ? "tool" : parent.source());
        return chance(3)
                ? child
                : child.toBuilder()
                        .modelConfig(new RawJson("{\"" + any(List.of("_branched_from", "_delegate_from")) + "\": \""
                                + parent.id().value() + "\"}"))
                        .build();
    }

    /** A continuation whose gateway made it before it ended its parent. */
    private List<Change> begunBeforeTheEnd(Session parent) {
        Session child = fresh(Optional.of(parent.id()), parent.source());
        return List.of(
                new Change.CreateSession(child),
                new Change.EditSession(parent.id(), new SessionEdit.End(Ending.of(now(), Ending.COMPRESSION))));
    }

    private Session fresh(Optional<SessionId> parent, String source) {
        String chat = any(CHATS);
        Session.Builder session = Session.builder(Samples.id(name("s")), source, now())
                .parent(parent.orElse(null))
                .userId(chance(2) ? "u-" + any(CHATS) : null);
        if (chance(2)) {
            session.peer(new SessionPeer(Samples.key(chat), Optional.of(Samples.source(chat, "u-" + chat))));
        }
        if (chance(4)) {
            session.title(title());
        }
        if (chance(4)) {
            session.model(any(List.of("small", "big"))).usage(tokens(), random.nextInt(3));
        }
        return session.build();
    }

    private String title() {
        return any(List.of("Title A", "title a #2", "Title A #10", "Title B", "Other_%"));
    }

    private TokenUsage tokens() {
        return new TokenUsage(
                random.nextInt(9), random.nextInt(9), random.nextInt(9), random.nextInt(9), random.nextInt(9));
    }

    private double cost() {
        return random.nextInt(16) / 16.0;
    }

    private Change change() {
        return switch (random.nextInt(25)) {
            case 0, 1, 2, 3 -> new Change.AppendMessages(session(), messages());
            case 4 -> hide();
            case 5 -> new Change.ReplaceMessages(session(), chance(4) ? List.of() : messages());
            case 6 -> new Change.ImportMessages(imported());
            case 7 ->
                new Change.AddUsage(
                        session(),
                        usage(),
                        chance(3) ? Optional.empty() : Optional.of(Samples.at(random.nextInt(4000))));
            case 8, 9 -> edit();
            case 10, 11 -> new Change.PutLane(lane());
            case 12 -> touch();
            case 13 ->
                chance(3)
                        ? new Change.RemoveLane(Samples.key(any(CHATS)))
                        : new Change.AppendHistory(Samples.event(any(CHATS), 10 * ++made, name("reason")));
            case 14, 15 -> new Change.PutInbound(inbound());
            case 16 -> new Change.PutTurn(turn());
            case 17 -> new Change.PutOutgoing(outgoing());
            case 20 ->
                new Change.PutCursor(
                        new CursorName(any(List.of(Platform.TELEGRAM, Platform.SLACK)), "bot-" + any(CHATS), "updates"),
                        chance(3) ? Optional.empty() : Optional.of(name("place")));
            case 21 -> new Change.TakeLane(Samples.key(any(CHATS)), new LifeId("life-" + any(CHATS)));
            case 22 -> new Change.LeaveLane(Samples.key(any(CHATS)));
            case 23 -> new Change.PostInbound(Samples.inbound(name("in"), any(CHATS), 1));
            case 24 ->
                new Change.PutUsage(new UsageSlot(
                        UsageSlot.Key.at(
                                Samples.at(random.nextInt(4000)),
                                any(SOURCES),
                                Optional.of(any(List.of("small", "big")))),
                        random.nextInt(5),
                        tokens(),
                        random.nextInt(5),
                        cost()));
            case 18 -> new Change.PutMeta("test." + random.nextInt(3), name("v"));
            default ->
                chance(3)
                        ? new Change.Forget(
                                Samples.at(5 * made), chance(2) ? Optional.of(Samples.at(3 * made)) : Optional.empty())
                        : new Change.AppendMessages(session(), messages());
        };
    }

    private List<Message> messages() {
        List<Message> messages = new ArrayList<>();
        int count = 1 + random.nextInt(3);
        for (int i = 0; i < count; i++) {
            messages.add(message());
        }
        return messages;
    }

    private Message message() {
        String id = chance(8) ? "m" + (1 + random.nextInt((int) made + 1)) : name("m");
        Role role = any(List.of(Role.USER, Role.USER, Role.ASSISTANT, Role.TOOL, new Role("developer")));
        Message.Builder message = Message.builder(new MessageId(id), role, content(), now());
        if (chance(5)) {
            message.toolName("lookup").toolCallId("call-1");
        }
        if (chance(5)) {
            message.toolCalls(Samples.toolCalls());
        }
        if (chance(8)) {
            message.kind(any(List.of(Message.Kind.SUMMARY, Message.Kind.STEERED)))
                    .platformMessageId(name("p"))
                    .tokenCount(random.nextInt(99));
        }
        return message.build();
    }

    private Content content() {
        return switch (random.nextInt(10)) {
            case 0 -> Content.none();
            case 1 ->
                new Content.Multipart(
                        new RawJson("[{\"type\":\"text\",\"text\":\"look\"},{\"type\":\"image_url\"}]"),
                        List.of("look"));
            default -> Content.text(any(TEXTS) + " " + any(TEXTS));
        };
    }

    private Change hide() {
        SessionId session = session();
        List<MessageId> ids = new ArrayList<>();
        for (StoredMessage message : model.transcripts().loadAll(session)) {
            if (chance(3)) {
                ids.add(message.message().id());
            }
        }
        return new Change.HideMessages(
                session, ids, chance(2) ? StoredMessage.State.REWOUND : StoredMessage.State.COMPACTED);
    }

    private List<StoredMessage> imported() {
        List<StoredMessage> messages = new ArrayList<>();
        int count = 1 + random.nextInt(3);
        for (int i = 0; i < count; i++) {
            messages.add(new StoredMessage(
                    random.nextInt(1000), session(), message(), any(List.of(StoredMessage.State.values()))));
        }
        return messages;
    }

    private UsageUpdate usage() {
        Billing billing = new Billing(
                chance(2) ? Optional.of(name("provider")) : Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                chance(2) ? Optional.of(cost()) : Optional.empty(),
                chance(3) ? Optional.of(cost()) : Optional.empty(),
                chance(2) ? Optional.of(name("status")) : Optional.empty(),
                Optional.empty(),
                Optional.empty());
        return new UsageUpdate(
                tokens(),
                random.nextInt(3),
                chance(2) ? Optional.of(any(List.of("small", "big"))) : Optional.empty(),
                billing,
                chance(4));
    }

    private Change edit() {
        SessionEdit edit = switch (random.nextInt(7)) {
            case 0 -> new SessionEdit.End(Ending.of(now(), any(List.of("idle", "session_reset"))));
            case 1, 2 -> new SessionEdit.Retitle(chance(4) ? Optional.empty() : Optional.of(title()));
            case 3 -> new SessionEdit.SystemPrompt(name("prompt"));
            case 4 ->
                new SessionEdit.Model(
                        name("model"),
                        chance(2) ? Optional.of(new RawJson("{\"n\": " + made + "}")) : Optional.empty());
            case 5 -> {
                String chat = any(CHATS);
                yield new SessionEdit.Peer(
                        new SessionPeer(Samples.key(chat), Optional.of(Samples.source(chat, "u-" + chat))));
            }
            default -> new SessionEdit.Counts(random.nextInt(50), random.nextInt(50));
        };
        return new Change.EditSession(session(), edit);
    }

    private Lane lane() {
        String chat = any(CHATS);
        long epoch = model.lanes().find(Samples.key(chat)).map(Lane::epoch).orElse(0L) + 1;
        SessionEntry entry =
                new Lane(Samples.lane(chat, session().value(), 1).entry().usedAt(now()), 1).entry();
        return new Lane(
                switch (random.nextInt(4)) {
                    case 0 -> entry.suspended();
                    case 1 -> entry.markedForResume(ResumeReason.RESTART_INTERRUPTED, now());
                    case 2 -> entry.finalised(false);
                    default -> entry;
                },
                epoch);
    }

    private Change touch() {
        SessionKey key = Samples.key(any(CHATS));
        Optional<SessionEntry> entry = model.lanes().find(key).map(Lane::entry);
        return new Change.TouchLane(
                key,
                entry.map(SessionEntry::sessionId).orElse(Samples.id("missing")),
                Samples.at(random.nextInt(1000)),
                tokens(),
                cost(),
                chance(2) ? Optional.of((long) random.nextInt(99)) : Optional.empty(),
                chance(2) ? entry.flatMap(SessionEntry::toBeResumed) : Optional.empty());
    }

    private Inbound inbound() {
        List<Inbound> known = new ArrayList<>();
        model.queue().forEach(Instant.EPOCH, known::add, turn -> {}, outgoing -> {});
        if (!known.isEmpty() && chance(2)) {
            return any(known).in(any(List.of(Inbound.State.values())));
        }
        String chat = any(CHATS);
        long ordinal = model.queue().lastOrdinal(Samples.key(chat)) + 1;
        return switch (random.nextInt(4)) {
            case 0 -> Samples.recorded(name("in"), chat, ordinal, any(Samples.chatEvents()));
            case 1 ->
                Samples.inbound(name("in"), chat, ordinal).toBuilder()
                        .sentAt(now())
                        .mentioned(chance(2))
                        .replyTo(ReplyTo.of(name("p")))
                        .context(List.of(PrecedingMessage.of("Ada", any(TEXTS))))
                        .attachments(List.of(Samples.fullAttachment()))
                        .build();
            default -> Samples.inbound(name("in"), chat, ordinal);
        };
    }

    private Turn turn() {
        List<Turn> known = new ArrayList<>();
        model.queue().forEach(Instant.EPOCH, inbound -> {}, known::add, outgoing -> {});
        if (!known.isEmpty() && chance(2)) {
            Turn turn = any(known);
            Turn ended = turn.ended(
                    any(List.of(Turn.State.COMPLETED, Turn.State.FAILED, Turn.State.INTERRUPTED, Turn.State.DROPPED)),
                    now());
            return chance(2)
                    ? ended.because(any(List.of(TurnReason.values())))
                            .noted(name("note"))
                            .used(TurnUsage.of(any(List.of("small", "big")), tokens(), random.nextInt(3))
                                    .costing(Optional.of(cost()), Optional.of("provider"))
                                    .answeringAt(now()))
                    : ended;
        }
        return Samples.turn(name("t"), any(CHATS), session().value(), 10 * ++made);
    }

    private Outgoing outgoing() {
        List<Outgoing> known = new ArrayList<>();
        model.queue().forEach(Instant.EPOCH, inbound -> {}, turn -> {}, known::add);
        if (!known.isEmpty() && chance(2)) {
            Outgoing message = any(known);
            return switch (random.nextInt(5)) {
                case 0 -> message.attempted();
                case 3 -> message.attempted(now()).failed(name("why"), Optional.of(now()));
                case 4 -> message.sent(new SentPart(1 + random.nextInt(3), List.of(name("p"))));
                case 1 -> message.delivered();
                default -> message.expired();
            };
        }
        return chance(3)
                ? Samples.fullOutgoing(name("o"), any(CHATS))
                : Samples.outgoing(name("o"), any(CHATS), 10 * ++made);
    }

    private Precondition precondition() {
        SessionKey key = Samples.key(any(CHATS));
        SessionId session = session();
        Hold hold = model.lanes().hold(key);
        return switch (random.nextInt(11)) {
            case 8 -> new Precondition.HeldBy(key, chance(3) ? random.nextInt(4) : hold.token());
            case 9 -> new Precondition.HoldFree(key, chance(3) ? random.nextInt(4) : hold.token());
            case 10 ->
                new Precondition.LastOrdinal(
                        key, chance(3) ? random.nextInt(4) : model.queue().lastOrdinal(key));
            case 0 ->
                new Precondition.LaneEpoch(
                        key,
                        chance(3)
                                ? random.nextInt(4)
                                : model.lanes().find(key).map(Lane::epoch).orElse(Lane.ABSENT));
            case 1 -> {
                List<Turn> claimed = model.queue().claimed();
                yield new Precondition.TurnClaimed(
                        claimed.isEmpty() ? new TurnId("none") : any(claimed).id(),
                        chance(4) ? new RunId("other") : Samples.RUN);
            }
            case 2 -> new Precondition.NotReceived(Samples.named(any(CHATS), "p-in" + random.nextInt((int) made + 1)));
            case 3 -> {
                List<Inbound> admitted = model.queue().admitted();
                yield new Precondition.StillAdmitted(
                        admitted.isEmpty() || chance(4)
                                ? new InboundId("none")
                                : any(admitted).id());
            }
            case 4 -> new Precondition.TitleFree(title(), session);
            case 5 -> new Precondition.SessionExists(session);
            case 6 -> new Precondition.SessionAbsent(chance(2) ? session : Samples.id("missing"));
            default -> new Precondition.NotCurrent(session);
        };
    }
}
