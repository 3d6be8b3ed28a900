package dev.parley.persistence.sqlite.ledger;

import dev.parley.domain.change.Precondition;
import dev.parley.domain.session.Lane;
import dev.parley.domain.text.Unicode;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/** Checks preconditions against what the current transaction sees. Changes nothing. */
final class Checks {
    private final Writer writer;

    Checks(Writer writer) {
        this.writer = writer;
    }

    /** Returns the first precondition that does not hold, or nothing. */
    Optional<Precondition> firstBroken(List<Precondition> preconditions) throws SQLException {
        for (Precondition precondition : preconditions) {
            if (!holds(precondition)) {
                return Optional.of(precondition);
            }
        }
        return Optional.empty();
    }

    private boolean holds(Precondition precondition) throws SQLException {
        if (precondition instanceof Precondition.LaneEpoch p) {
            return writer.lanes().epoch(Unicode.wellFormed(p.lane().value())).orElse(Lane.ABSENT) == p.epoch();
        }
        if (precondition instanceof Precondition.TurnClaimed p) {
            return writer.queue()
                    .isClaimed(
                            Unicode.wellFormed(p.turn().value()),
                            Unicode.wellFormed(p.run().value()));
        }
        if (precondition instanceof Precondition.NotReceived p) {
            return !writer.queue().isReceived(p.message());
        }
        if (precondition instanceof Precondition.StillAdmitted p) {
            return writer.queue().isAdmitted(Unicode.wellFormed(p.inbound().value()));
        }
        if (precondition instanceof Precondition.TitleFree p) {
            return !writer.sessions()
                    .titleTaken(Unicode.wellFormed(p.title()), p.session().value());
        }
        if (precondition instanceof Precondition.SessionExists p) {
            return writer.sessions().exists(p.session().value());
        }
        if (precondition instanceof Precondition.SessionAbsent p) {
            return !writer.sessions().exists(p.session().value());
        }
        Precondition.NotCurrent p = (Precondition.NotCurrent) precondition;
        return !writer.lanes().isCurrent(p.session().value());
    }
}
