package dev.parley.persistence.jsonl.file;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.domain.text.Blanks;
import dev.parley.domain.text.RawJson;
import dev.parley.domain.text.Unicode;
import dev.parley.domain.transcript.Content;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.MessageId;
import dev.parley.domain.transcript.Reasoning;
import dev.parley.domain.transcript.Role;
import dev.parley.domain.transcript.StoredMessage;
import dev.parley.domain.transcript.ToolCall;
import dev.parley.domain.transcript.ToolCalls;
import dev.parley.persistence.jsonl.record.Json;
import dev.parley.persistence.jsonl.record.RecordFormat;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A line of a session file behind the first one: a message, a compact marker, a note of our own, or something that is not understood.
 * Messages stand in the RFC's keys, so that any reader of the format finds them; what those keys cannot carry stands under one
 * more key. A message taken back has no role in its line, so that other readers pass over it.
 */
public sealed interface SessionLine {
    /** The line of nothing but white space. */
    SessionLine BLANK = new Blank();

    /** Nothing but white space. */
    record Blank() implements SessionLine {}

    /**
     * A line that is none of the others.
     *
     * @param why why
     */
    record Skipped(String why) implements SessionLine {}

    /**
     * Something that was said, or a summary.
     *
     * @param message the message; its id and time stand for nothing where {@code sequence} is 0
     * @param sequence its place in the order of all messages, or 0 where another program wrote the line
     * @param state whether it is part of the conversation
     */
    record Said(Message message, long sequence, StoredMessage.State state) implements SessionLine {}

    /**
     * Messages before this line are hidden.
     *
     * @param messages which
     * @param as how
     */
    record Hidden(List<MessageId> messages, StoredMessage.State as) implements SessionLine {}

    /** The conversation before this line was replaced: what is not hidden there is gone. */
    record Replaced() implements SessionLine {}

    /** What the extra key of a message holds. Where {@code whole}, the message is all there is to know. */
    record Extra(long sequence, StoredMessage.State state, boolean whole, Message message) {}

    /** What the extra key of a line without a message holds. */
    record Note(boolean replaced, List<MessageId> hide, Optional<StoredMessage.State> as, Optional<Extra> said) {}

    /** Reads a line, without or with its line feed. */
    static SessionLine parse(byte[] line) {
        String text;
        try {
            text = decode(line);
        } catch (CharacterCodingException e) {
            return new Skipped("not valid UTF-8");
        }
        if (Blanks.trim(text).isEmpty()) {
            return BLANK;
        }
        try {
            return new Parsing(text).line();
        } catch (JsonProcessingException e) {
            return new Skipped("not a whole JSON object: " + e.getOriginalMessage());
        } catch (IOException e) {
            return new Skipped(String.valueOf(e.getMessage()));
        }
    }

    /** Returns a message as a line with its line feed; reading it gives exactly this message again. */
    static byte[] of(StoredMessage stored) {
        Message message = stored.message();
        Extra extra = new Extra(stored.sequence(), stored.state(), false, unsaid(message));
        byte[] line = Rendering.line(message, extra, stored.state());
        if (isPlain(message)) {
            return line;
        }
        if (parse(line).equals(new Said(message, stored.sequence(), stored.state()))) {
            return line;
        }
        return Rendering.line(message, new Extra(stored.sequence(), stored.state(), true, message), stored.state());
    }

    /** Whether the line of a message says nothing that a line could say in two ways. */
    private static boolean isPlain(Message message) {
        return message.kind() == Message.Kind.PLAIN
                && message.toolCalls().isEmpty()
                && message.content() instanceof Content.Text text
                && isSaid(text.text())
                && message.toolCallId().map(SessionLine::isSaid).orElse(true)
                && message.reasoning().content().map(SessionLine::isSaid).orElse(true);
    }

    private static boolean isSaid(String text) {
        return !text.isEmpty();
    }

    /** Returns the line that hides messages. */
    static byte[] of(Hidden hidden) {
        return Rendering.note(new Note(false, hidden.messages(), Optional.of(hidden.as()), Optional.empty()));
    }

    /** Returns the line that says that the conversation is replaced. */
    static byte[] of(Replaced replaced) {
        return Rendering.note(new Note(true, List.of(), Optional.empty(), Optional.empty()));
    }

    /** Returns the text of a line, without a byte order mark. */
    static String decode(byte[] line) throws CharacterCodingException {
        String text = new String(line, StandardCharsets.UTF_8);
        if (text.indexOf('\uFFFD') >= 0) {
            // Either the line has this character, or it is not valid UTF-8, which the decoder tells.
            text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(line))
                    .toString();
        }
        return text.startsWith("\uFEFF") ? text.substring(1) : text;
    }

    /** The message without what the RFC's keys carry. */
    private static Message unsaid(Message message) {
        Reasoning reasoning = message.reasoning();
        return message.toBuilder()
                .content(Content.none())
                .toolCallId(null)
                .toolCalls(null)
                .reasoning(new Reasoning(
                        reasoning.text(),
                        Optional.empty(),
                        reasoning.details(),
                        reasoning.codexItems(),
                        reasoning.codexMessageItems()))
                .build();
    }

    /** Writes lines. */
    final class Rendering {
        private static final RecordFormat<Extra> EXTRA = RecordFormat.of(Extra.class);
        private static final RecordFormat<Note> NOTE = RecordFormat.of(Note.class);

        private Rendering() {}

        private static byte[] line(Message message, Extra extra, StoredMessage.State state) {
            if (state == StoredMessage.State.REWOUND) {
                Extra whole = new Extra(extra.sequence, state, true, message);
                return note(new Note(false, List.of(), Optional.empty(), Optional.of(whole)));
            }
            ByteArrayOutputStream out = new ByteArrayOutputStream(512);
            try (JsonGenerator json = Json.FACTORY.createGenerator(out)) {
                json.writeStartObject();
                if (isMarker(message)) {
                    json.writeStringField("compact", message.content().plainText());
                } else {
                    said(json, message);
                }
                json.writeFieldName(MetaLine.EXTRA);
                EXTRA.write(json, extra);
                json.writeEndObject();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            out.write('\n');
            return out.toByteArray();
        }

        private static boolean isMarker(Message message) {
            return message.kind() == Message.Kind.SUMMARY
                    && message.role().equals(Role.USER)
                    && message.content() instanceof Content.Text;
        }

        private static byte[] note(Note note) {
            ByteArrayOutputStream out = new ByteArrayOutputStream(512);
            try (JsonGenerator json = Json.FACTORY.createGenerator(out)) {
                json.writeStartObject();
                json.writeFieldName(MetaLine.EXTRA);
                NOTE.write(json, note);
                json.writeEndObject();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            out.write('\n');
            return out.toByteArray();
        }

        private static void said(JsonGenerator json, Message message) throws IOException {
            json.writeStringField("role", message.role().name());
            if (message.content() instanceof Content.Text text && !text.text().isEmpty()) {
                json.writeStringField("content", text.text());
            } else if (message.content() instanceof Content.Multipart parts) {
                json.writeFieldName("content");
                raw(json, parts.json(), parts.plainText());
            }
            writeUnlessEmpty(json, "reasoning_content", message.reasoning().content());
            writeUnlessEmpty(json, "tool_call_id", message.toolCallId());
            if (message.toolCalls().isPresent()) {
                ToolCalls calls = message.toolCalls().get();
                json.writeFieldName("tool_calls");
                if (calls.json().isPresent()) {
                    raw(json, calls.json().get(), null);
                } else {
                    write(json, calls.calls());
                }
            }
        }

        private static void writeUnlessEmpty(JsonGenerator json, String name, Optional<String> text)
                throws IOException {
            if (text.isPresent() && !text.get().isEmpty()) {
                json.writeStringField(name, text.get());
            }
        }

        private static void write(JsonGenerator json, List<ToolCall> calls) throws IOException {
            json.writeStartArray();
            for (ToolCall call : calls) {
                json.writeStartObject();
                if (!call.id().isEmpty()) {
                    json.writeStringField("id", call.id());
                }
                json.writeStringField("type", "function");
                json.writeObjectFieldStart("function");
                if (!call.name().isEmpty()) {
                    json.writeStringField("name", call.name());
                }
                if (!call.arguments().isEmpty()) {
                    json.writeStringField("arguments", call.arguments());
                }
                json.writeEndObject();
                json.writeEndObject();
            }
            json.writeEndArray();
        }

        /** Writes a list or object as it is where it can stand in a line, else what it means, else another text, else an empty list. */
        private static void raw(JsonGenerator json, RawJson raw, @Nullable String otherwise) throws IOException {
            String text = raw.text();
            JsonNode value = null;
            try {
                value = Json.TREE.readTree(text);
            } catch (JsonProcessingException malformed) {
                // The whole message stands under the extra key; this is what other readers see of it.
            }
            if (value != null && value.isContainerNode()) {
                boolean oneLine = text.indexOf('\n') < 0 && text.indexOf('\r') < 0;
                json.writeRawValue(oneLine ? text : Json.MAPPER.writeValueAsString(value));
            } else if (otherwise != null) {
                json.writeString(otherwise);
            } else {
                json.writeStartArray();
                json.writeEndArray();
            }
        }
    }

    /** Reads one line. */
    final class Parsing {
        private final String text;
        private @Nullable String role;
        private @Nullable String compact;
        private boolean roleIsWrong;
        private Content content = Content.none();
        private @Nullable String reasoning;
        private @Nullable String callId;
        private @Nullable String calls;
        private @Nullable String extra;

        private Parsing(String text) {
            this.text = text;
        }

        private SessionLine line() throws IOException {
            try (JsonParser json = Json.FACTORY.createParser(text)) {
                if (json.nextToken() != JsonToken.START_OBJECT) {
                    return new Skipped("not a JSON object");
                }
                while (json.nextToken() != JsonToken.END_OBJECT) {
                    String name = json.currentName();
                    json.nextToken();
                    field(json, name);
                }
                if (json.nextToken() != null) {
                    return new Skipped("something follows the object");
                }
            }
            if (roleIsWrong) {
                return new Skipped("the role is not a text");
            }
            if (role != null) {
                return said(role, content, Message.Kind.PLAIN);
            }
            if (compact != null) {
                return said(Role.USER.name(), Content.text(compact), Message.Kind.SUMMARY);
            }
            return extra == null ? new Skipped("neither a message nor a marker") : note(extra);
        }

        private void field(JsonParser json, String name) throws IOException {
            switch (name) {
                case "role" -> {
                    role = json.currentToken() == JsonToken.VALUE_STRING ? json.getText() : null;
                    roleIsWrong = role == null;
                    json.skipChildren();
                }
                case "compact" -> {
                    compact = json.currentToken() == JsonToken.VALUE_STRING ? Unicode.wellFormed(json.getText()) : null;
                    json.skipChildren();
                }
                case "content" -> content = content(json);
                case "reasoning_content" -> reasoning = textOrNothing(json, name);
                case "tool_call_id" -> callId = textOrNothing(json, name);
                case "tool_calls" -> calls = json.currentToken() == JsonToken.VALUE_NULL ? null : source(json);
                case MetaLine.EXTRA -> extra = source(json);
                default -> json.skipChildren();
            }
        }

        private Content content(JsonParser json) throws IOException {
            return switch (json.currentToken()) {
                case VALUE_STRING -> Content.text(Unicode.wellFormed(json.getText()));
                case VALUE_NULL -> Content.none();
                case START_ARRAY, START_OBJECT -> {
                    RawJson raw = new RawJson(source(json));
                    yield new Content.Multipart(raw, textsIn(Json.TREE.readTree(raw.text())));
                }
                default -> throw new IOException("the content is neither text nor a list of parts");
            };
        }

        private static @Nullable String textOrNothing(JsonParser json, String name) throws IOException {
            if (json.currentToken() == JsonToken.VALUE_NULL) {
                return null;
            }
            if (json.currentToken() != JsonToken.VALUE_STRING) {
                throw new IOException(name + " is not a text");
            }
            return Unicode.wellFormed(json.getText());
        }

        /** The text that the value was read from. */
        private String source(JsonParser json) throws IOException {
            int from = (int) json.currentTokenLocation().getCharOffset();
            json.skipChildren();
            if (json.currentToken().isScalarValue()) {
                json.getText();
            }
            return text.substring(from, (int) json.currentLocation().getCharOffset());
        }

        private SessionLine said(String as, Content what, Message.Kind kind) throws IOException {
            if (extra == null) {
                return new Said(foreign(as, what, kind), 0, StoredMessage.State.ACTIVE);
            }
            Extra more = Rendering.EXTRA.fromText(extra);
            if (more.whole) {
                return new Said(more.message, more.sequence, more.state);
            }
            Reasoning rest = more.message.reasoning();
            Message message = more.message.toBuilder()
                    .content(what)
                    .toolCallId(callId)
                    .toolCalls(ownCalls())
                    .reasoning(new Reasoning(
                            rest.text(),
                            Optional.ofNullable(reasoning),
                            rest.details(),
                            rest.codexItems(),
                            rest.codexMessageItems()))
                    .build();
            return new Said(message, more.sequence, more.state);
        }

        private Message foreign(String as, Content what, Message.Kind kind) throws IOException {
            return Message.builder(MessageId.ofRow(0), new Role(as), what, java.time.Instant.EPOCH)
                    .toolCallId(callId)
                    .toolCalls(foreignCalls())
                    .reasoning(new Reasoning(
                            Optional.empty(),
                            Optional.ofNullable(reasoning),
                            Optional.empty(),
                            Optional.empty(),
                            Optional.empty()))
                    .kind(kind)
                    .build();
        }

        /** Calls in a line of ours: in the usual shape they had no JSON of their own. */
        private @Nullable ToolCalls ownCalls() throws IOException {
            return calls == null ? null : ToolCalls.of(callsIn(Json.TREE.readTree(calls)));
        }

        private @Nullable ToolCalls foreignCalls() throws IOException {
            if (calls == null) {
                return null;
            }
            JsonNode node = Json.TREE.readTree(calls);
            if (node.isContainerNode() && node.isEmpty()) {
                return null;
            }
            return new ToolCalls(Optional.of(new RawJson(calls)), callsIn(node), node.isArray() ? node.size() : 1);
        }

        private static SessionLine note(String extra) throws IOException {
            Note note = Rendering.NOTE.fromText(extra);
            if (note.said.isPresent()) {
                Extra said = note.said.get();
                return new Said(said.message, said.sequence, said.state);
            }
            return note.replaced ? new Replaced() : new Hidden(note.hide, note.as.orElse(StoredMessage.State.REWOUND));
        }

        private static List<ToolCall> callsIn(JsonNode list) {
            List<ToolCall> found = new ArrayList<>();
            for (JsonNode each : list) {
                JsonNode function = each.path("function");
                if (each.isObject()) {
                    found.add(new ToolCall(
                            each.path("id").asText(""),
                            function.path("name").asText(""),
                            function.path("arguments").asText("")));
                }
            }
            return found;
        }

        private static List<String> textsIn(JsonNode content) {
            List<String> texts = new ArrayList<>();
            for (JsonNode part : content.isArray() ? content : List.of(content)) {
                boolean isText =
                        !part.has("type") || part.path("type").asText("").endsWith("text");
                if (isText && part.path("text").isTextual()) {
                    texts.add(part.path("text").asText());
                }
            }
            return texts;
        }
    }
}
