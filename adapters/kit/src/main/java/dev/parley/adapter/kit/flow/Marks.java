package dev.parley.adapter.kit.flow;

import dev.parley.application.ability.Reacting.Mark;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/** The reactions by which a platform marks a message, one for each mark that is shown. Immutable. */
public final class Marks {
    private final Map<Mark, String> reactions;

    /**
     * Marks shown by these reactions.
     *
     * @param reactions as the platform names them; a mark without one is not shown
     */
    public Marks(Map<Mark, String> reactions) {
        this.reactions = new EnumMap<>(reactions);
    }

    /** Puts a reaction on a message and takes it off. */
    @FunctionalInterface
    public interface Change {
        /** Puts a reaction on the message ({@code on}), or takes it off. */
        void apply(String reaction, boolean on);
    }

    /**
     * Shows a mark in place of the one before: {@link Mark#RECEIVED} stands before the others, and {@link Mark#NONE} takes off whatever is
     * there. The new one is put on first: what fails then leaves a mark too many, not none.
     */
    public void show(Mark mark, Change change) {
        Optional.ofNullable(reactions.get(mark)).ifPresent(reaction -> change.apply(reaction, true));
        reactions.forEach((each, reaction) -> {
            if (each != mark && (each == Mark.RECEIVED || mark == Mark.NONE)) {
                change.apply(reaction, false);
            }
        });
    }
}
