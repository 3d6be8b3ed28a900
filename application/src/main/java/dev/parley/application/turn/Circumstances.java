package dev.parley.application.turn;

import dev.parley.domain.context.UntrustedText;
import dev.parley.domain.text.Spans;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.turn.PrecedingMessage;
import dev.parley.domain.turn.ReplyTo;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What an agent is told of the messages that it answers beside their text: what was said before in their chat, what they reply to, when
 * they were sent, whether they name the agent. Given to the agent only and never stored with the conversation. What people typed is
 * quoted. Pure.
 */
final class Circumstances {
    /** A message that is older when it is received was sent while the gateway or its platform was away. */
    private static final Duration LATE = Duration.ofMinutes(5);

    private Circumstances() {}

    /** Returns what there is to tell, in lines; absent where there is nothing. */
    static Optional<String> of(List<Inbound> parts) {
        List<String> lines = new ArrayList<>();
        List<PrecedingMessage> before =
                parts.stream().flatMap(part -> part.context().stream()).toList();
        if (!before.isEmpty()) {
            lines.add("[Said before in this chat, not to you:");
            before.forEach(each ->
                    lines.add("- " + each.author().map(UntrustedText::quote).orElse("somebody") + ": "
                            + UntrustedText.quote(each.text())));
            lines.set(lines.size() - 1, lines.get(lines.size() - 1) + "]");
        }
        for (Inbound part : parts) {
            part.replyTo().map(Circumstances::reply).ifPresent(lines::add);
            part.sentAt().flatMap(at -> late(at, part.receivedAt())).ifPresent(lines::add);
        }
        boolean inAGroup =
                parts.stream().noneMatch(part -> part.source().chatType().isDm());
        if (inAGroup && parts.stream().anyMatch(Inbound::mentioned)) {
            lines.add("[This message is addressed to you.]");
        }
        return lines.isEmpty()
                ? Optional.empty()
                : Optional.of(lines.stream().distinct().collect(Collectors.joining("\n")));
    }

    private static String reply(ReplyTo to) {
        String whose = to.ours()
                ? "your message"
                : to.author()
                        .map(name -> "a message of " + UntrustedText.quote(name))
                        .orElse("another message");
        return "[In reply to " + whose
                + to.text()
                        .filter(text -> !text.isBlank())
                        .map(text -> ": " + UntrustedText.quote(text))
                        .orElse("")
                + "]";
    }

    private static Optional<String> late(Instant sent, Instant received) {
        Duration age = Duration.between(sent, received);
        return age.compareTo(LATE) > 0
                ? Optional.of("[Sent " + Spans.inWords(age) + " before it could be received.]")
                : Optional.empty();
    }
}
