package dev.parley.domain.transcript;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Makes a stored conversation fit to be given to an agent again (storage 4.4, P7.32, P7.35). What is stored stays as it is.
 */
public final class ReplayCleaning {
    /** How the result of a tool that was cut off begins; such a result is not replayed. */
    public static final String INTERRUPTED = "[interrupted]";

    /** How a note to the agent begins. */
    public static final String NOTE = "[System note";

    private static final Duration CONFIRMATION_LIFE = Duration.ofSeconds(60);
    private static final String EXPIRED =
            "[This confirmation has expired. Ask again before doing anything that destroys.]";
    private static final String UNKNOWN_EFFECT =
            "[No result: the run was cut off. Whether this call took effect is unknown; check before repeating it.]";

    private static final Pattern LEADING_NOTE = Pattern.compile("\\A\\s*\\[System note[^\\]]*\\](?:\\s*\\n|\\s*\\z)");
    private static final Pattern CONFIRMATION = Pattern.compile(
            "(?:yes|confirm|confirmed|approve|approved)[,:]?\\s+(?:delete|remove|wipe|drop|erase|destroy|overwrite|reset)"
                    + "(?:\\s+(?:it|all|them|everything))?[.!]*",
            Pattern.CASE_INSENSITIVE);
    private static final Pattern LOOKS_ONLY = Pattern.compile(
            "(?:.*_)?(?:read|get|list|search|find|fetch|view|show|look|query|describe|status|grep|glob)(?:_.*)?");

    private ReplayCleaning() {}

    /**
     * Returns the messages that are replayed, in order: bookkeeping rows, blank ones and calls whose results were cut off left
     * out, notes and recalled memory taken out of texts, old confirmations of destructive actions replaced, and every call
     * answered: a call of a tool that only looks is left out where no answer is stored, any other is answered with a statement
     * that its effect is unknown.
     */
    public static List<Message> replay(List<Message> stored, Instant now) {
        List<Message> texts = new ArrayList<>();
        for (Message message : stored) {
            cleaned(message, now).ifPresent(texts::add);
        }
        List<Message> replayed = new ArrayList<>();
        int at = 0;
        while (at < texts.size()) {
            Message message = texts.get(at);
            if (!asksForTools(message)) {
                if (!message.role().equals(Role.TOOL)) {
                    replayed.add(message);
                }
                at++;
                continue;
            }
            int end = at + 1;
            while (end < texts.size() && texts.get(end).role().equals(Role.TOOL)) {
                end++;
            }
            block(message, texts.subList(at + 1, end), replayed);
            at = end;
        }
        return List.copyOf(replayed);
    }

    /** Returns a user's text without notes to the agent that were stored before it (P7.32). */
    public static String withoutNotes(String stored) {
        String rest = stored;
        while (LEADING_NOTE.matcher(rest).find()) {
            rest = LEADING_NOTE.matcher(rest).replaceFirst("").strip();
        }
        return rest;
    }

    private static Optional<Message> cleaned(Message message, Instant now) {
        if (message.role().equals(Role.SESSION_META)) {
            return Optional.empty();
        }
        boolean user = message.role().equals(Role.USER);
        boolean assistant = message.role().equals(Role.ASSISTANT);
        if (!(user || assistant)) {
            return Optional.of(message);
        }
        Message clean = message;
        if (message.content() instanceof Content.Text said) {
            String text = Conversation.withoutRecalledMemory(said.text());
            if (user && message.kind() != Message.Kind.SUMMARY) {
                text = withoutNotes(text);
                boolean old = Duration.between(message.at(), now).compareTo(CONFIRMATION_LIFE) > 0;
                if (old && CONFIRMATION.matcher(text).matches()) {
                    text = EXPIRED;
                }
            }
            clean = text.equals(said.text())
                    ? message
                    : message.toBuilder().content(Content.text(text)).build();
        }
        return clean.content().isBlank() && !asksForTools(clean) ? Optional.empty() : Optional.of(clean);
    }

    private static boolean asksForTools(Message message) {
        return message.role().equals(Role.ASSISTANT)
                && message.toolCalls().filter(calls -> !calls.calls().isEmpty()).isPresent();
    }

    private static void block(Message asking, List<Message> results, List<Message> replayed) {
        if (results.stream().anyMatch(ReplayCleaning::wasCutOff)) {
            return;
        }
        List<ToolCall> calls = asking.toolCalls().map(ToolCalls::calls).orElse(List.of());
        Map<String, Message> byCall = new HashMap<>();
        for (Message result : results) {
            byCall.putIfAbsent(result.toolCallId().orElse(""), result);
        }
        boolean unanswered = calls.stream().noneMatch(call -> byCall.containsKey(call.id()));
        if (unanswered && results.isEmpty() && calls.stream().allMatch(ReplayCleaning::onlyLooks)) {
            return;
        }
        replayed.add(asking);
        replayed.addAll(results);
        for (ToolCall call : calls) {
            if (!byCall.containsKey(call.id())) {
                replayed.add(Message.builder(
                                new MessageId(asking.id().value() + "-" + call.id() + "-unknown"),
                                Role.TOOL,
                                Content.text(UNKNOWN_EFFECT),
                                asking.at())
                        .toolCallId(call.id())
                        .toolName(call.name())
                        .build());
            }
        }
    }

    private static boolean wasCutOff(Message result) {
        return result.content()
                .plainText()
                .stripLeading()
                .toLowerCase(Locale.ROOT)
                .startsWith(INTERRUPTED);
    }

    private static boolean onlyLooks(ToolCall call) {
        return LOOKS_ONLY.matcher(call.name().toLowerCase(Locale.ROOT)).matches();
    }
}
