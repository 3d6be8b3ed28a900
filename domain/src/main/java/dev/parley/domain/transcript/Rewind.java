package dev.parley.domain.transcript;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Taking back the last turns of a conversation (O4.20): what is hidden and what is said about it.
 *
 * @param hidden the messages that leave the conversation, in order
 * @param turnsUndone how many turns these are
 * @param target the first of them, the user message that the conversation goes back before
 */
public record Rewind(List<MessageId> hidden, int turnsUndone, Message target) {
    public Rewind {
        hidden = List.copyOf(hidden);
    }

    /** Returns how many messages leave the conversation. */
    public int rewoundCount() {
        return hidden.size();
    }

    /** Returns the text of the user message that the conversation goes back before. */
    public String targetText() {
        return target.content().plainText();
    }

    /**
     * Returns what taking back {@code turns} turns does: from the user message that began the turn that many turns ago to the end.
     * Fewer than one counts as one, more than there are as all. Summaries are no user's turn and stay; what was steered into a turn, and
     * what was done when it was resumed, belongs to it. Nothing where there is no user message.
     *
     * @param active the active messages of a session, in order
     */
    public static Optional<Rewind> of(List<StoredMessage> active, int turns) {
        List<Integer> starts = new ArrayList<>();
        for (int i = active.size() - 1; i >= 0 && starts.size() < Math.max(1, turns); i--) {
            if (active.get(i).message().beginsTurn()) {
                starts.add(i);
            }
        }
        if (starts.isEmpty()) {
            return Optional.empty();
        }
        int from = starts.get(starts.size() - 1);
        List<MessageId> hidden = active.subList(from, active.size()).stream()
                .map(m -> m.message().id())
                .toList();
        return Optional.of(new Rewind(hidden, starts.size(), active.get(from).message()));
    }
}
