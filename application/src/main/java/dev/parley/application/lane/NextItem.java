package dev.parley.application.lane;

import dev.parley.application.lane.FollowUps.Item;
import dev.parley.application.port.ProcessActivity;
import dev.parley.application.settings.GatewaySettings;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.Lane;
import dev.parley.domain.session.SessionEntry;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.turn.Inbound;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Has decided what a free lane does next: gathers the facts, which are the first item of the queue, what the store says of the lane's sessions,
 * and whether the conversation is too long. What is decided on these facts is {@link Claiming}'s.
 *
 * @param clock the lane's clock
 * @param settings how the gateway behaves
 * @param reading reads the queue and what decides which session a message belongs to
 * @param commanding knows whether there is a command that compresses
 * @param gateway says whether something may begin now
 * @param compressions knows which sessions could not be compressed
 */
record NextItem(
        LaneClock clock,
        GatewaySettings settings,
        LaneReading reading,
        Commanding commanding,
        GatewayState gateway,
        Compressions compressions) {
    /** Returns whether the first item of the queue, which is not empty, may begin now. */
    boolean mayBegin(LaneState state) {
        return gateway.standstill()
                .filter(why -> why.stops() || reading.items(state).get(0).kind() != Inbound.Kind.RESUME)
                .isEmpty();
    }

    /** What the operator is told where plug-ins do not say what the next decision is to know. */
    static final String UNASKED = "What is next is decided without what plug-ins were asked for it.";

    /**
     * What plug-ins say that the next decision is to know.
     *
     * @param contextLength how much the session's model reads; 0 where that is not known
     * @param processes the lane's background processes
     */
    record Asked(long contextLength, ProcessActivity processes) {
        /** They say nothing: then a background process may be running. */
        static final Asked NOTHING = new Asked(0, lane -> {
            throw new IllegalStateException("The look-up of background processes has not answered.");
        });
    }

    /** Returns the command that is next in the queue, which is not empty; empty where a turn is next. */
    Optional<Inbound> command(LaneState state) {
        Item item = reading.items(state).get(0);
        return item.kind() == Inbound.Kind.COMMAND ? Optional.of(item.last()) : Optional.empty();
    }

    /** Returns what asks plug-ins what the next decision is to know; it may be asked on another thread. */
    Supplier<Asked> asking(LaneState state) {
        SessionKey key = clock.lane();
        SessionSource source = reading.items(state).get(0).last().source();
        Optional<SessionEntry> entry = state.lane().map(Lane::entry);
        return () -> new Asked(
                entry.map(each -> reading.contextLength(key, each, source)).orElse(0L), processes(key));
    }

    private ProcessActivity processes(SessionKey key) {
        try {
            List<Instant> started = reading.processes(key);
            return lane -> started;
        } catch (RuntimeException e) {
            return lane -> {
                throw e;
            };
        }
    }

    LaneStep decide(LaneState state, Asked asked, int attempt) {
        List<Item> items = reading.items(state);
        if (!state.slot().isFree() || items.isEmpty()) {
            return LaneStep.none(state);
        }
        Item item = items.get(0);
        if (item.kind() == Inbound.Kind.COMMAND) {
            // It has come to the front meanwhile: it is asked what it decides before anything is stored.
            return LaneStep.none(state);
        }
        if (attempt > Deciding.ATTEMPTS) {
            return Claiming.giveUp(state, item.parts(), CommandSteps.LOST_RACE, "lost three races", clock.moment());
        }
        Optional<SessionSource> source = Claiming.source(state, item, settings.recovery(), clock.now());
        if (source.isEmpty()) {
            return Claiming.dropResume(state, item);
        }
        if (mustCompress(state, item, source.get(), asked)) {
            return Claiming.compress(state, source.get(), clock.moment());
        }
        return Claiming.claim(
                state,
                item,
                reading.facts(clock.lane(), source.get(), state, asked.processes())
                        .acceptedAt(item.parts().get(0).receivedAt()),
                reading.rules().isShared(source.get()),
                settings.turns(),
                clock.moment());
    }

    private boolean mustCompress(LaneState state, Item item, SessionSource source, Asked asked) {
        return item.kind() != Inbound.Kind.RESUME
                && !state.compressed()
                && commanding.has(LaneState.COMPRESS)
                && state.lane()
                        .filter(lane -> compressions.mayTry(lane.entry().sessionId(), clock.now()))
                        .isPresent()
                && reading.outgrows(clock.lane(), state, source, asked.contextLength(), asked.processes());
    }
}
