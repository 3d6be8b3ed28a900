package dev.parley.adapter.matrix.inbound;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.adapter.kit.access.Gate;
import dev.parley.adapter.kit.flow.ReadMessage;
import dev.parley.adapter.kit.media.RemoteFile;
import dev.parley.adapter.matrix.api.Account;
import dev.parley.domain.source.ChatType;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.PlatformSources;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.turn.ChatEvent;
import dev.parley.domain.turn.ReplyTo;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Reads an event of a room: who said what, where, and whether it is for the agent. Never fails: what it cannot make sense of it says
 * to be unreadable, so that one bad event keeps no other from being read.
 */
final class EventReader {
    private static final PlatformSources SOURCES = PlatformSources.of(Platform.MATRIX);
    private static final Set<String> STATE = Set.of(
            "m.room.name",
            "m.room.topic",
            "m.room.encryption",
            "m.room.canonical_alias",
            "m.room.create",
            "m.room.power_levels",
            "m.room.join_rules",
            "m.room.history_visibility",
            "m.room.guest_access",
            "m.room.avatar");

    private final Account account;
    private final Rooms rooms;
    private final Gate gate;
    private final Set<String> ignoredUsers;
    private final boolean autoThread;

    /**
     * A reader for one account.
     *
     * @param account who the bot is
     * @param rooms what is known of its rooms
     * @param gate which messages of rooms are for the agent
     * @param ignoredUsers who is never listened to
     * @param autoThread whether what is said to the bot in a room begins a thread
     */
    EventReader(Account account, Rooms rooms, Gate gate, Set<String> ignoredUsers, boolean autoThread) {
        this.account = account;
        this.rooms = rooms;
        this.gate = gate;
        this.ignoredUsers = Set.copyOf(ignoredUsers);
        this.autoThread = autoThread;
    }

    /** Looks up what an event refers to; one that is not there any more is absent. */
    interface References {
        /** Returns another event of the room. */
        Optional<Said> said(String eventId);

        /** Returns whether the bot has spoken in a thread of the room. */
        boolean participates(String thread);
    }

    /** Returns what an event of a room is. */
    Incoming read(String room, JsonNode event, References references) {
        JsonNode id = event.path("event_id");
        if (!event.isObject() || !id.isTextual() || id.asText().isEmpty()) {
            return new Incoming.Unreadable("it has no id");
        }
        if (!event.path("sender").isTextual() || !event.path("type").isTextual()) {
            return new Incoming.Unreadable("it has no sender or no type");
        }
        return known(room, event, references);
    }

    private Incoming known(String room, JsonNode event, References references) {
        String type = event.path("type").asText();
        String sender = event.path("sender").asText();
        if (type.equals("m.room.member")) {
            return member(event);
        }
        if (type.equals("m.room.tombstone")) {
            return tombstone(room, event);
        }
        if (STATE.contains(type)) {
            return new Incoming.PassedOver("it is learnt from");
        }
        if (account.is(sender)) {
            return new Incoming.PassedOver("the bot wrote it");
        }
        if (sender.startsWith("@_") || ignoredUsers.contains(sender)) {
            return new Incoming.PassedOver("its sender is not listened to");
        }
        if (event.path("unsigned").has("redacted_because")
                || (event.path("content").isEmpty() && !type.equals("m.room.redaction"))) {
            return new Incoming.PassedOver("it was taken back");
        }
        return switch (type) {
            case "m.room.message", "m.sticker" -> message(room, event, references);
            case "m.room.encrypted" -> encrypted(room);
            case "m.reaction" -> reaction(room, event);
            case "m.room.redaction" -> redaction(room, event, references);
            default -> new Incoming.PassedOver("it is of no use here");
        };
    }

    // messages

    private Incoming message(String room, JsonNode event, References references) {
        JsonNode content = event.path("content");
        JsonNode relation = content.path("m.relates_to");
        if (!content.path("body").isTextual()) {
            return new Incoming.Unreadable("its body is no text");
        }
        if (relation.path("rel_type").asText().equals("m.replace")) {
            return edit(room, event);
        }
        Optional<String> thread = thread(relation);
        Optional<ReplyTo> replyTo = replyTo(room, relation, references);
        List<RemoteFile> files = Files.of(event.path("type").asText(), content);
        String body = files.isEmpty()
                ? Texts.withoutQuotation(content.path("body").asText(), relation)
                : Files.caption(content);
        Naming naming = Naming.of(body, content, account, rooms.member(room, account.userId()));
        boolean bot = content.path("msgtype").asText().equals("m.notice");
        boolean direct = rooms.isDirect(room);
        boolean mentioned = naming.us() || replyTo.filter(ReplyTo::ours).isPresent();
        Gate.Verdict verdict = gate.decide(new Gate.Facts(
                room,
                thread,
                direct,
                false,
                bot,
                mentioned,
                false,
                !direct && !mentioned && thread.filter(references::participates).isPresent(),
                body));
        if (verdict == Gate.Verdict.DROP) {
            return new Incoming.PassedOver("it is not for the agent");
        }
        boolean forUs = verdict == Gate.Verdict.PASS;
        if (rooms.isEncrypted(room)) {
            return forUs ? new Incoming.Encrypted() : new Incoming.PassedOver("it is not for the agent");
        }
        String text = said(content, Texts.command(naming.text()));
        if (text.isBlank() && files.isEmpty()) {
            return new Incoming.PassedOver("it says nothing");
        }
        String id = event.path("event_id").asText();
        boolean opens = forUs && autoThread && !direct && thread.isEmpty();
        SessionSource.Builder source = source(room, event, opens ? Optional.of(id) : thread)
                .isBot(bot)
                .messageId(id)
                .autoThreadCreated(opens);
        ReadMessage read =
                new ReadMessage(source.build(), text, files, id, sentAt(event), replyTo, mentioned, List.of());
        return forUs ? new Incoming.Message(read) : new Incoming.Overheard(read);
    }

    private static String said(JsonNode content, String text) {
        return switch (content.path("msgtype").asText()) {
            case "m.emote" -> "* " + text;
            case "m.location" -> {
                String place = content.path("geo_uri").asText();
                yield place.isEmpty() ? text : "[Location: " + place.replaceFirst("^geo:", "") + "] " + text;
            }
            default -> text;
        };
    }

    private Incoming edit(String room, JsonNode event) {
        JsonNode content = event.path("content");
        String target = content.path("m.relates_to").path("event_id").asText();
        JsonNode now = content.path("m.new_content");
        if (target.isEmpty() || !now.path("body").isTextual()) {
            return new Incoming.Unreadable("it changes a message and does not say which or how");
        }
        String body = now.path("body").asText();
        String text = Texts.command(Naming.of(body, now, account, rooms.member(room, account.userId()))
                .text());
        return event(room, event, Optional.empty(), new ChatEvent.Edited(target, text));
    }

    private Incoming reaction(String room, JsonNode event) {
        JsonNode relation = event.path("content").path("m.relates_to");
        String target = relation.path("event_id").asText();
        String key = relation.path("key").asText();
        if (target.isEmpty() || key.isEmpty()) {
            return new Incoming.Unreadable("it is a reaction and does not say which or to what");
        }
        return event(room, event, Optional.empty(), new ChatEvent.Reacted(target, key, false));
    }

    private Incoming redaction(String room, JsonNode event, References references) {
        String inside = event.path("content").path("redacts").asText();
        String target = inside.isEmpty() ? event.path("redacts").asText() : inside;
        if (target.isEmpty()) {
            return new Incoming.Unreadable("it takes something back and does not say what");
        }
        Optional<Said.Reaction> reaction = references.said(target).flatMap(Said::reaction);
        ChatEvent what = reaction.isPresent()
                ? new ChatEvent.Reacted(reaction.get().target(), reaction.get().key(), true)
                : new ChatEvent.Deleted(target);
        return event(room, event, Optional.empty(), what);
    }

    private Incoming event(String room, JsonNode event, Optional<String> thread, ChatEvent what) {
        return new Incoming.Event(
                source(room, event, thread).build(),
                what,
                event.path("event_id").asText());
    }

    private Incoming encrypted(String room) {
        rooms.markEncrypted(room);
        Gate.Verdict verdict = gate.decide(new Gate.Facts(
                room,
                Optional.empty(),
                rooms.isDirect(room),
                false,
                false,
                // Whom it names cannot be read.
                true,
                false,
                false,
                ""));
        return verdict == Gate.Verdict.PASS
                ? new Incoming.Encrypted()
                : new Incoming.PassedOver("it is not for the agent");
    }

    // rooms

    private Incoming member(JsonNode event) {
        JsonNode content = event.path("content");
        boolean invited = account.is(event.path("state_key").asText())
                && content.path("membership").asText().equals("invite");
        return invited && content.path("is_direct").asBoolean(false)
                ? new Incoming.DirectInvitation(event.path("sender").asText())
                : new Incoming.PassedOver("it is learnt from");
    }

    private Incoming tombstone(String room, JsonNode event) {
        String to = event.path("content").path("replacement_room").asText();
        if (!event.path("state_key").isTextual() || to.isEmpty() || to.equals(room)) {
            return new Incoming.PassedOver("the room has ended");
        }
        String sender = event.path("sender").asText();
        SessionSource source = source(room, event, Optional.empty())
                .chatId(to)
                .scopeId(scope(to))
                .build();
        return new Incoming.Moved(
                source,
                room,
                sender.substring(sender.indexOf(':') + 1),
                event.path("event_id").asText());
    }

    // where, and who

    private SessionSource.Builder source(String room, JsonNode event, Optional<String> thread) {
        String sender = event.path("sender").asText();
        boolean direct = rooms.isDirect(room);
        Optional<String> person = rooms.member(room, sender);
        return SOURCES.inChat(room)
                .chatName(rooms.name(room)
                        .or(() -> direct ? person : Optional.empty())
                        .orElse(null))
                .chatType(direct ? ChatType.DM : ChatType.GROUP)
                .userId(sender)
                .userName(person.orElse(sender))
                .threadId(thread.orElse(null))
                .chatTopic(rooms.topic(room).orElse(null))
                .scopeId(scope(room))
                .parentChatId(thread.map(root -> room).orElse(null))
                .messageId(event.path("event_id").asText());
    }

    /** Returns the server in a room's id, or the account's own where the id names none. */
    private String scope(String room) {
        int colon = room.indexOf(':');
        return colon < 0 ? account.server() : room.substring(colon + 1);
    }

    private static Optional<String> thread(JsonNode relation) {
        return relation.path("rel_type").asText().equals("m.thread")
                ? Optional.of(relation.path("event_id").asText()).filter(root -> !root.isEmpty())
                : Optional.empty();
    }

    private Optional<ReplyTo> replyTo(String room, JsonNode relation, References references) {
        String target = relation.path("m.in_reply_to").path("event_id").asText();
        // In a thread clients without threads are given a reply that nobody meant.
        boolean meant = !relation.path("is_falling_back").asBoolean(false);
        if (target.isEmpty() || !meant) {
            return Optional.empty();
        }
        Optional<Said> said = references.said(target);
        return Optional.of(new ReplyTo(
                target,
                said.map(each -> rooms.member(room, each.sender()).orElse(each.sender())),
                said.map(Said::text).filter(text -> !text.isBlank()),
                said.filter(each -> account.is(each.sender())).isPresent()));
    }

    private static Optional<Instant> sentAt(JsonNode event) {
        try {
            long millis = event.path("origin_server_ts").asLong();
            return millis > 0 ? Optional.of(Instant.ofEpochMilli(millis)) : Optional.empty();
        } catch (DateTimeException absurd) {
            return Optional.empty();
        }
    }
}
