package dev.parley.domain.transcript;

import java.util.Collection;

/** A guess at how many tokens messages are to a model, where nobody counted: four characters each (storage 7.9). */
public final class TokenEstimate {
    private static final int CHARACTERS = 4;

    private TokenEstimate() {}

    /** Returns the estimate for a conversation: of its content, its reasoning and the arguments of its tool calls. */
    public static long of(Collection<Message> messages) {
        return messages.stream().mapToLong(TokenEstimate::characters).sum() / CHARACTERS;
    }

    private static long characters(Message message) {
        long content = message.content().plainText().length();
        long reasoning = message.reasoning()
                .content()
                .or(() -> message.reasoning().text())
                .map(String::length)
                .orElse(0);
        long arguments = message.toolCalls()
                .map(calls -> calls.calls().stream()
                        .mapToLong(call -> call.arguments().length())
                        .sum())
                .orElse(0L);
        return content + reasoning + arguments;
    }
}
