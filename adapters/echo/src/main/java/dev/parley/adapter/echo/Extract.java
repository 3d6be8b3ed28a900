package dev.parley.adapter.echo;

import dev.parley.domain.text.OneLine;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.Role;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A summary made of the conversation's own words. */
final class Extract {
    private static final int LINES = 12;
    private static final int LENGTH = 160;

    private Extract() {}

    /**
     * Returns the first message, what mentions the focus, and the latest messages, twelve in all and in their order, each cut to
     * one line; empty where nobody has said anything.
     */
    static String of(List<Message> history, Optional<String> focus) {
        List<Message> said = history.stream()
                .filter(m -> m.role().equals(Role.USER) || m.role().equals(Role.ASSISTANT))
                .filter(m -> !m.content().plainText().isBlank())
                .toList();
        if (said.isEmpty()) {
            return "";
        }
        List<Integer> mentioned = focus.map(f -> mentions(said, f)).orElse(List.of());
        String lines = IntStream.concat(
                        IntStream.concat(IntStream.of(0), mentioned.stream().mapToInt(i -> i)),
                        IntStream.iterate(said.size() - 1, i -> i >= 0, i -> i - 1))
                .distinct()
                .limit(LINES)
                .sorted()
                .mapToObj(i -> "- " + line(said.get(i)))
                .collect(Collectors.joining("\n"));
        return "From " + said.size() + (said.size() == 1 ? " message:\n" : " messages:\n") + lines;
    }

    private static List<Integer> mentions(List<Message> said, String focus) {
        String wanted = focus.strip().toLowerCase(Locale.ROOT);
        return IntStream.range(0, said.size())
                .filter(i -> !wanted.isEmpty()
                        && said.get(i)
                                .content()
                                .plainText()
                                .toLowerCase(Locale.ROOT)
                                .contains(wanted))
                .boxed()
                .toList();
    }

    private static String line(Message message) {
        String text = message.content().plainText().strip().replaceAll("\\s+", " ");
        return message.role().name() + ": " + OneLine.cut(text, LENGTH);
    }
}
