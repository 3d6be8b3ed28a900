package dev.parley.contracts.storage;

import dev.parley.domain.change.Change;
import dev.parley.domain.change.LaneEvent;
import dev.parley.domain.change.SessionEdit;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.reset.ResetReason;
import dev.parley.domain.session.Beginning;
import dev.parley.domain.session.Ending;
import dev.parley.domain.session.EntryUsage;
import dev.parley.domain.session.Lane;
import dev.parley.domain.session.ModelOverride;
import dev.parley.domain.session.ResumeReason;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionEntry;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.session.SessionPeer;
import dev.parley.domain.session.Standing;
import dev.parley.domain.source.Address;
import dev.parley.domain.source.ChatType;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.text.RawJson;
import dev.parley.domain.transcript.Content;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.MessageId;
import dev.parley.domain.transcript.Reasoning;
import dev.parley.domain.transcript.Role;
import dev.parley.domain.transcript.StoredMessage;
import dev.parley.domain.transcript.ToolCall;
import dev.parley.domain.transcript.ToolCalls;
import dev.parley.domain.turn.Attachment;
import dev.parley.domain.turn.ChatEvent;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.turn.InboundId;
import dev.parley.domain.turn.LifeId;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.OutgoingId;
import dev.parley.domain.turn.PlatformMessage;
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
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Things to store. */
final class Samples {
    static final Instant START = Instant.parse("2026-03-10T08:00:00.123456Z");
    static final RunId RUN = new RunId("run-1");

    private Samples() {}

    /** The instant so many seconds behind the start, with microseconds. */
    static Instant at(long seconds) {
        return START.plusSeconds(seconds);
    }

    static SessionId id(String id) {
        return SessionId.of(id);
    }

    static SessionKey key(String chat) {
        return SessionKey.of("agent:main:telegram:dm:" + chat);
    }

    static SessionSource source(String chat, String user) {
        return SessionSource.builder(Platform.TELEGRAM, chat)
                .chatType(ChatType.DM)
                .userId(user)
                .build();
    }

    static Session session(String id) {
        return session(id, 0);
    }

    static Session session(String id, long startedAt) {
        return Session.builder(id(id), "telegram", at(startedAt)).build();
    }

    static Change created(Session session) {
        return new Change.CreateSession(session);
    }

    static Change created(String id) {
        return new Change.CreateSession(session(id));
    }

    static Change edit(String id, SessionEdit edit) {
        return new Change.EditSession(id(id), edit);
    }

    static Change end(String id, long at, String reason) {
        return edit(id, new SessionEdit.End(Ending.of(at(at), reason)));
    }

    static Change retitle(String id, String title) {
        return edit(id, new SessionEdit.Retitle(Optional.of(title)));
    }

    static Message message(String id, Role role, String text, long at) {
        return Message.builder(new MessageId(id), role, Content.text(text), at(at))
                .build();
    }

    static Message user(String id, String text) {
        return message(id, Role.USER, text, 10);
    }

    static Message assistant(String id, String text) {
        return message(id, Role.ASSISTANT, text, 11);
    }

    static Change append(String session, Message... messages) {
        return new Change.AppendMessages(id(session), List.of(messages));
    }

    static Change hide(String session, StoredMessage.State as, String... messages) {
        return new Change.HideMessages(
                id(session), Arrays.stream(messages).map(MessageId::new).toList(), as);
    }

    static Lane lane(String chat, String session, long epoch) {
        return new Lane(
                SessionEntry.begin(key(chat), id(session), source(chat, "u-" + chat), at(0), Beginning.ordinary()),
                epoch);
    }

    static Change put(Lane lane) {
        return new Change.PutLane(lane);
    }

    static Change touch(String chat, String session, long at) {
        return new Change.TouchLane(
                key(chat), id(session), at(at), TokenUsage.NONE, 0.0, Optional.empty(), Optional.empty());
    }

    static LaneEvent event(String chat, long at, String reason) {
        return new LaneEvent(
                key(chat),
                at(at),
                LaneEvent.Kind.RESET,
                Optional.of(id("before")),
                Optional.of(id("after")),
                reason,
                inOrder("zone", "Europe/Berlin", "clock", at(at).toString()));
    }

    static Map<String, String> inOrder(String... namesAndValues) {
        Map<String, String> map = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            map.put(namesAndValues[i], namesAndValues[i + 1]);
        }
        return map;
    }

    static PlatformMessage named(String chat, String id) {
        return new PlatformMessage(Platform.TELEGRAM, chat, id);
    }

    static Inbound inbound(String id, String chat, long ordinal) {
        return inbound(id, chat, ordinal, named(chat, "p-" + id));
    }

    static Inbound inbound(String id, String chat, long ordinal, PlatformMessage name) {
        return new Inbound(
                new InboundId(id),
                key(chat),
                ordinal,
                Inbound.Kind.MESSAGE,
                source(chat, "u-" + chat),
                "text of " + id,
                List.of(),
                at(ordinal),
                Optional.of(name),
                Inbound.State.ADMITTED,
                Optional.empty());
    }

    static Turn turn(String id, String chat, String session, long startedAt) {
        return new Turn(
                new TurnId(id),
                key(chat),
                id(session),
                RUN,
                List.of(new InboundId("in-" + id)),
                at(startedAt),
                Turn.State.CLAIMED,
                Optional.empty());
    }

    static Outgoing outgoing(String id, String chat, long createdAt) {
        return new Outgoing(
                new OutgoingId(id),
                Optional.of(key(chat)),
                Platform.TELEGRAM,
                chat,
                Optional.empty(),
                "text of " + id,
                Outgoing.Kind.REPLY,
                at(createdAt),
                Optional.of(new TurnId("turn-" + id)),
                Outgoing.State.PENDING,
                0);
    }

    /** A source with every component that is stored. */
    static SessionSource fullSource() {
        return SessionSource.builder(Platform.DISCORD, "chat 1:2%3/日本")
                .chatName("Guild #general \"quoted\" 🚀")
                .chatType(ChatType.THREAD)
                .userId("user:1")
                .userName("José Müller")
                .threadId("thread-9")
                .chatTopic("line one\nline two")
                .userIdAlt("alt-user")
                .chatIdAlt("alt-chat")
                .scopeId("scope")
                .parentChatId("parent")
                .messageId("m-1")
                .profile("work")
                .autoThreadCreated(true)
                .autoThreadInitialName("topic")
                .build();
    }

    /** A session with every component; its parent is {@code parent}. */
    static Session fullSession(String id) {
        return Session.builder(id(id), "discord", at(5))
                .userId("user:1")
                .model("model-1")
                .modelConfig(new RawJson("{\"temperature\": 0.5,\"b\":[1, 2]}"))
                .systemPrompt("Be brief.\nAlways.")
                .parent(id("parent"))
                .ending(Ending.of(at(50), "session_reset"))
                .counts(7, 3)
                .usage(new TokenUsage(1, 2, 3, 4, 5), 6)
                .billing(new Billing(
                        Optional.of("provider"),
                        Optional.of("https://api.example.org/v1"),
                        Optional.of("metered"),
                        Optional.of(0.125),
                        Optional.of(0.0625),
                        Optional.of("estimated"),
                        Optional.of("price list"),
                        Optional.of("2026-03")))
                .title("A title, \"quoted\" 🚀")
                .peer(new SessionPeer(
                        SessionKey.of("agent:main:discord:thread:chat 1%3A2%253/日本:thread-9"),
                        Optional.of(fullSource())))
                .rewindCount(2)
                .archived(true)
                .build();
    }

    /** A message with every component. */
    static Message fullMessage(String id) {
        return Message.builder(
                        new MessageId(id), Role.ASSISTANT, Content.text("Looking, één moment… 🚀\n\tnow"), at(12))
                .toolCallId("call-0")
                .toolName("search")
                .toolCalls(toolCalls())
                .tokenCount(42)
                .finishReason("tool_calls")
                .reasoning(new Reasoning(
                        Optional.of("because"),
                        Optional.of(""),
                        Optional.of(new RawJson("[{\"type\": \"summary\"}]")),
                        Optional.of(new RawJson("{\"items\":[]}")),
                        Optional.of(new RawJson("[1,  2]"))))
                .platformMessageId("p-77")
                .build();
    }

    /** Two calls with the JSON they came in, spaces and all. */
    static ToolCalls toolCalls() {
        return new ToolCalls(
                Optional.of(
                        new RawJson(
                                "[{\"id\": \"call-1\", \"type\": \"function\", \"function\": {\"name\": \"search\", \"arguments\": \"{\\\"q\\\":1}\"}},"
                                        + " {\"id\": \"call-2\", \"type\": \"function\", \"function\": {\"name\": \"open\", \"arguments\": \"\"}}]")),
                List.of(new ToolCall("call-1", "search", "{\"q\":1}"), new ToolCall("call-2", "open", "")),
                2);
    }

    /** An entry with every component, reset, and suspended over a mark. */
    static SessionEntry fullEntry(String chat, String session) {
        return new SessionEntry(
                key(chat),
                id(session),
                at(1),
                at(2),
                Optional.of(fullSource()),
                Optional.of("A name 🚀"),
                Optional.of(Platform.DISCORD),
                ChatType.THREAD,
                new EntryUsage(new TokenUsage(10, 20, 30, 40, 50), 150, 0.375, "estimated", 99),
                new Beginning.AfterReset(ResetReason.DAILY, true),
                new Standing.Suspended(Optional.of(
                        new Standing.ResumePending(Optional.of(ResumeReason.RESTART_TIMEOUT), Optional.of(at(3))))),
                true,
                Optional.of(new ModelOverride(
                        Optional.of("big"), Optional.of("provider"), Optional.of("https://llm.example.org"))));
    }

    /** An attachment with every component. */
    static Attachment fullAttachment() {
        return new Attachment(Attachment.PHOTO, "media/1.jpg", Optional.of("a b.jpg"), Optional.of("image/jpeg"))
                .described("a harbour, \"seen\" from above 🚀")
                .sized(5_000_000_000L);
    }

    /** A received message with every component. */
    static Inbound fullInbound(String id, String chat) {
        return Inbound.builder(
                        new InboundId(id),
                        key(chat),
                        7,
                        Inbound.Kind.STEER,
                        fullSource(),
                        "text with 🚀 and\nlines",
                        at(3))
                .attachments(List.of(
                        fullAttachment(), new Attachment("document", "media/2", Optional.empty(), Optional.empty())))
                .platformMessage(named("chat 1:2", "m:1"))
                .state(Inbound.State.CLAIMED)
                .turn(new TurnId("turn-1"))
                .sentAt(at(2))
                .replyTo(new ReplyTo("m:0", Optional.of("José"), Optional.of("what \"it\" said"), true))
                .mentioned(true)
                .context(List.of(
                        new PrecedingMessage(
                                Optional.of("Ada"), "before\nthat", Optional.of(at(1)), Optional.of("m:-1")),
                        PrecedingMessage.of("Bob", "")))
                .via(new LifeId("node-1#9f3c"))
                .build();
    }

    /** One event of each kind. */
    static List<ChatEvent> chatEvents() {
        return List.of(
                new ChatEvent.Edited("m:1", "new \"text\" 🚀"),
                new ChatEvent.Deleted("m:1"),
                new ChatEvent.Reacted("m:1", "👍", true),
                new ChatEvent.Pressed("m:2", "always"),
                new ChatEvent.Joined(true),
                new ChatEvent.Left(false),
                new ChatEvent.Moved("-100"),
                new ChatEvent.Renamed(Optional.of("name"), Optional.empty()));
    }

    /** An event as it is recorded. */
    static Inbound recorded(String id, String chat, long ordinal, ChatEvent event) {
        return Inbound.builder(
                        new InboundId(id), key(chat), ordinal, Inbound.Kind.EVENT, source(chat, "u"), "", at(ordinal))
                .state(Inbound.State.DONE)
                .event(event)
                .build();
    }

    /** A turn with every component. */
    static Turn fullTurn(String id, String chat, String session) {
        return turn(id, chat, session, 4)
                .working(at(5))
                .ended(Turn.State.FAILED, at(9))
                .because(TurnReason.CONTEXT_TOO_LARGE)
                .noted("the model takes 8192 tokens, \"not\" 9000")
                .used(new TurnUsage(
                        Optional.of("model-1"),
                        Optional.of("provider"),
                        new TokenUsage(1, 2, 3, 4, 5),
                        6,
                        7,
                        Optional.of(0.375),
                        Optional.of(at(6))))
                .under(8);
    }

    /** An outgoing message with every component, sent in part. */
    static Outgoing fullOutgoing(String id, String chat) {
        return Outgoing.builder(
                        new OutgoingId(id),
                        new Address(
                                Platform.DISCORD,
                                "chat 1:2",
                                Optional.of("thread-9"),
                                Optional.of("scope"),
                                Optional.of("parent"),
                                Optional.of("work")),
                        "an answer 🚀\n```\ncode\n```",
                        Outgoing.Kind.NOTICE,
                        at(3))
                .lane(key(chat))
                .attachments(List.of(fullAttachment()))
                .replyTo("m:1")
                .replaces("m:2")
                .expiresAt(at(300))
                .turn(new TurnId("turn-1"))
                .cause(new InboundId("in-1"))
                .build()
                .attempted(at(7))
                .failed("429: slow down", Optional.of(at(9)))
                .sent(new SentPart(1, List.of("p:1", "p:2")))
                .sent(new SentPart(2, List.of()));
    }
}
