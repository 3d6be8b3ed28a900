package dev.parley.application.lane;

import dev.parley.application.lane.FollowUps.Item;
import dev.parley.application.settings.GatewaySettings;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.turn.Inbound;
import java.util.List;
import java.util.Optional;

/**
 * Decides what a free lane does next.
 *
 * @param clock the lane's clock
 * @param settings how the gateway behaves
 * @param reading reads the queue and what decides which session a message belongs to
 * @param commands has commands decide
 * @param gateway says whether something may begin now
 */
record NextDecider(
        LaneClock clock, GatewaySettings settings, LaneReading reading, CommandDecider commands, GatewayState gateway) {
    /** Returns whether the first item of the queue, which is not empty, may begin now. */
    boolean mayBegin(LaneState state) {
        return gateway.stopping().isEmpty()
                && (!gateway.isHeld() || reading.items(state).get(0).kind() == Inbound.Kind.RESUME);
    }

    /** Returns the command that is next; absent where something else or nothing is. */
    Optional<Inbound> command(LaneState state) {
        return reading.items(state).stream()
                .findFirst()
                .filter(item -> item.kind() == Inbound.Kind.COMMAND)
                .map(Item::last);
    }

    LaneStep decide(LaneState state, CommandDecider.Asked asked, int attempt) {
        List<Item> items = reading.items(state);
        if (!state.slot().isFree() || items.isEmpty()) {
            return LaneStep.none(state);
        }
        Item item = items.get(0);
        if (item.kind() == Inbound.Kind.COMMAND) {
            return commands.queued(state, item.last(), asked, attempt);
        }
        if (attempt > Deciding.ATTEMPTS) {
            return Claiming.giveUp(state, item.parts(), CommandSteps.LOST_RACE, "lost three races", clock.moment());
        }
        Optional<SessionSource> source = Claiming.source(state, item, settings.recovery(), clock.now());
        if (source.isEmpty()) {
            return Claiming.dropResume(state, item);
        }
        if (mustCompress(state, item, source.get())) {
            return Claiming.compress(state, source.get(), clock.moment());
        }
        return Claiming.claim(
                state,
                item,
                reading.facts(clock.lane(), source.get(), state),
                reading.rules().isShared(source.get()),
                settings.turns(),
                clock.moment());
    }

    private boolean mustCompress(LaneState state, Item item, SessionSource source) {
        return item.kind() != Inbound.Kind.RESUME
                && !state.compressed()
                && commands.commanding().has(Claiming.COMPRESS)
                && reading.outgrows(clock.lane(), state, source);
    }
}
