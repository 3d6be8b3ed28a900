package dev.parley.application.lane;

import dev.parley.application.command.CommandOutcome;
import dev.parley.application.turn.TurnPlan;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.turn.InboundId;
import java.util.List;
import java.util.Optional;

/** What a lane works on: one thing at a time. */
sealed interface TurnSlot {
    /** Returns the slot of a lane that works on nothing. */
    static TurnSlot free() {
        return new Free();
    }

    /** Nothing. */
    record Free() implements TurnSlot {}

    /**
     * A turn whose claim is being stored.
     *
     * @param plan the turn
     */
    record Claiming(TurnPlan plan) implements TurnSlot {}

    /**
     * A claimed turn whose agent has not begun.
     *
     * @param turn the turn
     */
    record Starting(TurnWork turn) implements TurnSlot {}

    /**
     * A turn whose agent works.
     *
     * @param turn the turn
     */
    record Working(TurnWork turn) implements TurnSlot {}

    /**
     * A turn whose end is being stored.
     *
     * @param turn the turn
     */
    record Ending(TurnWork turn) implements TurnSlot {}

    /**
     * A summary for a command.
     *
     * @param command the command
     * @param wanted what it asked for
     */
    record Summarising(Inbound command, CommandOutcome.Summarise wanted) implements TurnSlot {}

    default boolean isFree() {
        return this instanceof Free;
    }

    default boolean isSummarising() {
        return this instanceof Summarising;
    }

    /** Returns whether a summary is made for this command. */
    default boolean isSummarising(InboundId command) {
        return this instanceof Summarising summarising
                && summarising.command().id().equals(command);
    }

    /** Returns the claimed turn whose end has not come. */
    default Optional<TurnWork> active() {
        return this instanceof Starting starting ? Optional.of(starting.turn()) : working();
    }

    /** Returns the turn whose agent works. */
    default Optional<TurnWork> working() {
        return this instanceof Working working ? Optional.of(working.turn()) : Optional.empty();
    }

    /** Returns the messages whose senders wait for the turn's answer. */
    default List<InboundId> awaited() {
        if (this instanceof Claiming claiming) {
            return claiming.plan().parts().stream().map(Inbound::id).toList();
        }
        return this instanceof Ending ending
                ? ending.turn().awaited()
                : active().map(TurnWork::awaited).orElse(List.of());
    }

    /** Returns the turn that is claimed or being claimed, ending or not. */
    default Optional<TurnPlan> planned() {
        if (this instanceof Claiming claiming) {
            return Optional.of(claiming.plan());
        }
        return this instanceof Ending ending ? Optional.of(ending.turn().plan()) : active().map(TurnWork::plan);
    }
}
