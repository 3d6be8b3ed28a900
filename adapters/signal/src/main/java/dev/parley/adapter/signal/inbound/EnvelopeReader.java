package dev.parley.adapter.signal.inbound;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.adapter.kit.access.Gate;
import dev.parley.adapter.kit.flow.ReadMessage;
import dev.parley.adapter.kit.media.RemoteFile;
import dev.parley.adapter.signal.outbound.Echoes;
import dev.parley.adapter.signal.outbound.MessageId;
import dev.parley.application.port.Happened;
import dev.parley.domain.source.ChatType;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.PlatformSources;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.turn.ChatEvent;
import dev.parley.domain.turn.ReplyTo;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads what the daemon hands over: who wrote what, where, and whether it is for the agent. Never fails: what it cannot make sense of it
 * says to be unreadable, so that one bad envelope keeps no other from being read. Safe for concurrent use.
 */
public final class EnvelopeReader {
    private static final PlatformSources SOURCES = PlatformSources.of(Platform.of("signal"));
    private static final int REMEMBERED_EDITS = 1_000;

    private final String account;
    private final Contacts contacts;
    private final Echoes echoes;
    private final Gate gate;
    /** What each edit changed first: an edit of an edit names the edit before it. */
    private final Map<String, String> edited = Collections.synchronizedMap(new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, String> eldest) {
            return size() > REMEMBERED_EDITS;
        }
    });

    /**
     * A reader for one account.
     *
     * @param account the account's number
     * @param contacts which number belongs to which uuid
     * @param echoes what the account has sent
     * @param gate which messages of groups are for the agent
     */
    public EnvelopeReader(String account, Contacts contacts, Echoes echoes, Gate gate) {
        this.account = account;
        this.contacts = contacts;
        this.echoes = echoes;
        this.gate = gate;
    }

    /** Returns what an event is, given the data that came with it. */
    Incoming read(JsonNode event) {
        try {
            return known(unwrapped(event));
        } catch (RuntimeException e) {
            return new Incoming.Unreadable("it cannot be read (" + e.getClass().getSimpleName() + ")");
        }
    }

    /** A daemon hands over bare envelopes; some of its doors wrap them as calls, or as answers to a subscription. */
    private static JsonNode unwrapped(JsonNode event) {
        JsonNode params = event.has("params") ? event.path("params") : event;
        return params.has("result") ? params.path("result") : params;
    }

    private Incoming known(JsonNode event) {
        JsonNode envelope = event.path("envelope");
        if (!envelope.isObject()) {
            return new Incoming.Unreadable("it has no envelope");
        }
        String receiver = event.path("account").asText(account);
        if (!receiver.equals(account)) {
            return new Incoming.Unreadable("it is for another account of the daemon");
        }
        if (event.path("exception").isObject() && !envelope.has("dataMessage")) {
            return new Incoming.Unreadable("signal-cli could not open it ("
                    + event.path("exception").path("type").asText("") + ")");
        }
        Author author = Author.of(envelope);
        contacts.seen(author.number(), author.uuid());
        if (envelope.path("syncMessage").isObject()) {
            return ofOwnDevices(envelope.path("syncMessage").path("sentMessage"), author);
        }
        if (author.isNobody()) {
            return envelope.has("dataMessage") || envelope.has("editMessage")
                    ? new Incoming.Unreadable("it does not say who sent it")
                    : new Incoming.PassedOver("it is of no use here");
        }
        if (contacts.isAccount(author.number(), author.uuid())) {
            return new Incoming.PassedOver("the account wrote it");
        }
        if (envelope.path("editMessage").isObject()) {
            return edited(envelope.path("editMessage"), author);
        }
        return envelope.path("dataMessage").isObject()
                ? message(envelope.path("dataMessage"), author)
                : new Incoming.PassedOver("it is no message");
    }

    /** What the owner's other devices have sent: for the agent only where it is a note to self. */
    private Incoming ofOwnDevices(JsonNode sent, Author author) {
        String number = sent.path("destinationNumber").asText("");
        String uuid = sent.path("destinationUuid").asText("");
        boolean note = number.equals(account)
                || sent.path("destination").asText("").equals(account)
                || (!uuid.isEmpty() && uuid.equals(author.uuid()));
        JsonNode data =
                sent.path("editMessage").isObject() ? sent.path("editMessage").path("dataMessage") : sent;
        if (!note || data.path("groupInfo").isObject()) {
            return new Incoming.PassedOver("the account wrote it elsewhere");
        }
        if (echoes.isOurs(data.path("timestamp").asLong(), data.path("message").asText(""))) {
            return new Incoming.PassedOver("it is what was sent");
        }
        Author self = new Author(account, author.uuid(), author.name());
        return sent.path("editMessage").isObject() ? edited(sent.path("editMessage"), self) : message(data, self);
    }

    private Incoming message(JsonNode data, Author author) {
        Optional<Incoming> flaw = flaw(data);
        if (flaw.isPresent()) {
            return flaw.get();
        }
        boolean once = data.path("viewOnce").asBoolean(false);
        SessionSource source = source(data, author);
        if (data.path("remoteDelete").isObject()) {
            return deleted(data, source, author);
        }
        if (data.path("reaction").isObject()) {
            return reacted(data, source, author);
        }
        Words words = Words.of(data, contacts);
        List<RemoteFile> files = once ? List.of() : Files.of(data, source.chatId());
        if (words.text().isBlank() && files.isEmpty()) {
            return new Incoming.PassedOver("it says nothing");
        }
        Optional<ReplyTo> replyTo = replyTo(data.path("quote"));
        boolean mentioned = words.mentioned() || replyTo.filter(ReplyTo::ours).isPresent();
        Gate.Verdict verdict = verdict(source, mentioned, words.text());
        if (verdict == Gate.Verdict.DROP) {
            return new Incoming.PassedOver("it is not for the agent");
        }
        ReadMessage read = new ReadMessage(
                source,
                words.text(),
                files,
                author.messageId(data.path("timestamp").asLong()),
                sentAt(data),
                replyTo,
                mentioned,
                List.of());
        return verdict == Gate.Verdict.PASS ? new Incoming.Message(read) : new Incoming.Overheard(read);
    }

    private Incoming edited(JsonNode edit, Author author) {
        JsonNode data = edit.path("dataMessage");
        long target = edit.path("targetSentTimestamp").asLong();
        Optional<Incoming> flaw = flaw(data);
        if (flaw.isPresent() || target <= 0) {
            return flaw.orElseGet(() -> new Incoming.Unreadable("it does not say what it edits"));
        }
        String id = author.messageId(data.path("timestamp").asLong());
        String before = author.messageId(target);
        String first = edited.getOrDefault(before, before);
        edited.put(id, first);
        ChatEvent change = new ChatEvent.Edited(first, Words.of(data, contacts).text());
        return happened(source(data, author), change, id);
    }

    private Incoming deleted(JsonNode data, SessionSource source, Author author) {
        long target = data.path("remoteDelete").path("timestamp").asLong();
        if (target <= 0) {
            return new Incoming.Unreadable("it does not say what it deletes");
        }
        String last = author.messageId(target);
        String first = edited.getOrDefault(last, last);
        return happened(
                source,
                new ChatEvent.Deleted(first),
                author.messageId(data.path("timestamp").asLong()));
    }

    private Incoming reacted(JsonNode data, SessionSource source, Author author) {
        JsonNode reaction = data.path("reaction");
        long target = reaction.path("targetSentTimestamp").asLong();
        String emoji = reaction.path("emoji").asText("");
        if (target <= 0 || emoji.isBlank()) {
            return new Incoming.Unreadable("it does not say what it reacts to, or how");
        }
        String last = named(reaction, "targetAuthor", target);
        ChatEvent change = new ChatEvent.Reacted(
                edited.getOrDefault(last, last),
                emoji,
                reaction.path("isRemove").asBoolean(false));
        return happened(source, change, author.messageId(data.path("timestamp").asLong()));
    }

    /** What happens in a chat that is not listened to is not listened to either. */
    private Incoming happened(SessionSource source, ChatEvent change, String id) {
        return verdict(source, false, "") == Gate.Verdict.DROP
                ? new Incoming.PassedOver("its chat is not listened to")
                : new Incoming.Event(new Happened(source, change, Optional.of(id)));
    }

    private Gate.Verdict verdict(SessionSource source, boolean mentioned, String text) {
        return gate.decide(new Gate.Facts(
                source.chatId(),
                Optional.empty(),
                source.chatType().isDm(),
                false,
                false,
                mentioned,
                false,
                false,
                text));
    }

    private static Optional<Incoming> flaw(JsonNode data) {
        if (data.path("timestamp").asLong() <= 0) {
            return Optional.of(new Incoming.Unreadable("it has no timestamp"));
        }
        JsonNode text = data.path("message");
        if (!text.isMissingNode() && !text.isNull() && !text.isTextual()) {
            return Optional.of(new Incoming.Unreadable("its text is no text"));
        }
        JsonNode group = data.path("groupInfo");
        if (group.isObject() && group.path("groupId").asText("").isBlank()) {
            return Optional.of(new Incoming.Unreadable("its group has no id"));
        }
        return Optional.empty();
    }

    private SessionSource source(JsonNode data, Author author) {
        JsonNode group = data.path("groupInfo");
        boolean inGroup = group.isObject();
        String user = author.chat(contacts);
        String groupId = group.path("groupId").asText("");
        return SOURCES.inChat(inGroup ? Place.GROUP + groupId : user)
                .chatName(
                        inGroup
                                ? present(group.path("groupName").asText("")).orElse(null)
                                : author.shown().orElse(null))
                .chatType(inGroup ? ChatType.GROUP : ChatType.DM)
                .chatIdAlt(inGroup ? groupId : null)
                .userId(user)
                .userIdAlt(present(author.uuid()).orElse(null))
                .userName(author.shown().orElse(null))
                .messageId(author.messageId(data.path("timestamp").asLong()))
                .build();
    }

    private static Optional<Instant> sentAt(JsonNode data) {
        try {
            return Optional.of(Instant.ofEpochMilli(data.path("timestamp").asLong()));
        } catch (DateTimeException absurd) {
            return Optional.empty();
        }
    }

    private Optional<ReplyTo> replyTo(JsonNode quote) {
        long timestamp = quote.path("id").asLong();
        if (timestamp <= 0) {
            return Optional.empty();
        }
        String number = number(quote, "author");
        boolean ours = contacts.isAccount(number, quote.path("authorUuid").asText(""));
        return Optional.of(new ReplyTo(
                named(quote, "author", timestamp),
                present(number).filter(name -> !ours),
                present(quote.path("text").asText("")).filter(text -> !text.isBlank()),
                ours));
    }

    /** Returns the number of somebody whom a field names; where no number is known, what else the field says. */
    private String number(JsonNode from, String field) {
        return present(from.path(field + "Number").asText(""))
                .or(() -> contacts.number(from.path(field + "Uuid").asText("")))
                .orElse(from.path(field).asText(""));
    }

    /** Names the message of somebody whom a field names: what the account sent by its number, as it is named where it is sent. */
    private String named(JsonNode from, String field, long timestamp) {
        String uuid = from.path(field + "Uuid").asText("");
        String number = number(from, field);
        return MessageId.text(uuid.isEmpty() || contacts.isAccount(number, uuid) ? number : uuid, timestamp);
    }

    private static Optional<String> present(String text) {
        return Optional.of(text).filter(value -> !value.isEmpty());
    }

    /**
     * Who sent an envelope.
     *
     * @param number their number; empty where they hide it
     * @param uuid their uuid; empty where the daemon does not know it
     * @param name their name; empty where they have none
     */
    private record Author(String number, String uuid, String name) {
        static Author of(JsonNode envelope) {
            String number = envelope.path("sourceNumber").asText("");
            String uuid = envelope.path("sourceUuid").asText("");
            String source = envelope.path("source").asText("");
            boolean sourceIsNumber = source.startsWith("+");
            return new Author(
                    number.isEmpty() && sourceIsNumber ? source : number,
                    uuid.isEmpty() && !sourceIsNumber ? source : uuid,
                    envelope.path("sourceName").asText(""));
        }

        boolean isNobody() {
            return number.isEmpty() && uuid.isEmpty();
        }

        /** Returns the number, also one that was shown before; else the uuid. */
        String chat(Contacts contacts) {
            return present(number).or(() -> contacts.number(uuid)).orElse(uuid);
        }

        Optional<String> shown() {
            return present(name.strip());
        }

        String messageId(long timestamp) {
            return MessageId.text(uuid.isEmpty() ? number : uuid, timestamp);
        }
    }
}
