package dev.parley.application.lane;

import dev.parley.application.port.AnswerListener;
import dev.parley.application.port.Receipt;
import dev.parley.domain.change.Change;
import dev.parley.domain.change.Precondition;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.turn.LifeId;
import java.util.List;
import java.util.Optional;

/**
 * Stores messages for the gateway that works on their lane, and tells that one. Such a message is given its place in the queue by the store,
 * so that it loses no race. Used by the lane's own tasks.
 *
 * @param lane the lane's actor
 * @param takeover knows who works on the lane
 * @param acceptance tells platforms what became of what they handed in
 * @param clock the lane's clock
 * @param host the gateway that waits for the answers
 */
record PostingElsewhere(LaneWork lane, Takeover takeover, Acceptance acceptance, LaneClock clock, LaneHost host) {
    /**
     * Stores a message.
     *
     * @param command whether it is one
     * @param chosen who is to take the lane; absent where nobody was chosen
     */
    void post(LaneInput.Arrived arrived, boolean command, Optional<LifeId> chosen) {
        boolean awaited = arrived.answer() != AnswerListener.NONE;
        Inbound inbound = Posting.posted(
                arrived.message(), command, awaited ? host.nodes().life() : Optional.empty(), clock.moment());
        List<Precondition> require = arrived.name().<Precondition>map(Precondition.NotReceived::new).stream()
                .toList();
        Outcome outcome = lane.storeOnce(require, List.of(new Change.PostInbound(inbound)));
        if (outcome instanceof Outcome.Known known) {
            acceptance.repeated(arrived, known.name());
            return;
        }
        if (outcome instanceof Outcome.LaneTaken) {
            post(arrived, command, chosen);
            return;
        }
        if (awaited) {
            host.answers().await(inbound.id(), arrived.answer());
        }
        arrived.receipt().complete(new Receipt.Admitted(inbound.id(), clock.lane()));
        takeover.wake(chosen);
        // The lane may be free by now; then its message is this gateway's to answer.
        lane.afterwards(lane::lookForPosted);
    }
}
