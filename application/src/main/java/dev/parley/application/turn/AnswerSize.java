package dev.parley.application.turn;

import dev.parley.application.port.AgentFailure;
import dev.parley.application.port.AgentQuestion;
import dev.parley.domain.text.RawJson;
import dev.parley.domain.transcript.Content;
import dev.parley.domain.transcript.Reasoning;
import dev.parley.domain.transcript.ToolCall;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * How many characters an agent has said in one turn: text, reasoning, calls of tools and questions. Text that was streamed and is told again
 * as a whole counts once. What a tool has answered is not the agent's, so that each result counts for itself, unless no tool was asked for it.
 * Each method returns whether the agent has said no more than it may; from the first that does not on, none does. Safe for concurrent use.
 */
final class AnswerSize {
    private final long most;
    private long told;
    private long streamed;
    private boolean over;

    /** Nothing is said yet, and {@code most} characters may be. */
    AnswerSize(long most) {
        this.most = most;
    }

    /** Counts a piece of text, one character at least. */
    synchronized boolean streams(String delta) {
        streamed += Math.max(1, delta.length());
        return isWithin(told + streamed);
    }

    /** Counts what is told as a whole, the text in place of what was streamed of it; one character at least. */
    synchronized boolean tells(Content content, Reasoning reasoning, List<ToolCall> calls) {
        told += Math.max(1, Math.max(streamed, size(content)) + size(reasoning) + size(calls));
        streamed = 0;
        return isWithin(told);
    }

    /** Counts a question and its choices. */
    synchronized boolean asks(AgentQuestion question) {
        told += Stream.concat(Stream.of(question.text()), question.choices().stream())
                .mapToLong(String::length)
                .sum();
        return isWithin(told + streamed);
    }

    /** Counts the words of a failure. */
    synchronized boolean fails(AgentFailure failure) {
        told += failure.message().length();
        return isWithin(told + streamed);
    }

    /** Counts the result of a tool, for itself where it was asked for. */
    synchronized boolean returns(Content result, boolean asked) {
        if (asked) {
            return isWithin(size(result));
        }
        told += Math.max(1, size(result));
        return isWithin(told + streamed);
    }

    private boolean isWithin(long size) {
        over = over || size > most;
        return !over;
    }

    private static long size(Content content) {
        return content instanceof Content.Multipart parts
                ? parts.json().text().length()
                : content.plainText().length();
    }

    private static long size(Reasoning reasoning) {
        return Stream.concat(
                        Stream.of(reasoning.text(), reasoning.content()).flatMap(Optional::stream),
                        Stream.of(reasoning.details(), reasoning.codexItems(), reasoning.codexMessageItems())
                                .flatMap(Optional::stream)
                                .map(RawJson::text))
                .mapToLong(String::length)
                .sum();
    }

    private static long size(List<ToolCall> calls) {
        return calls.stream()
                .mapToLong(call -> (long) call.id().length()
                        + call.name().length()
                        + call.arguments().length())
                .sum();
    }
}
