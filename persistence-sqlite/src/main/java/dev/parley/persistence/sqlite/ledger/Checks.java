package dev.parley.persistence.sqlite.ledger;

import dev.parley.domain.change.Precondition;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.Lane;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.text.Unicode;
import dev.parley.domain.turn.Hold;
import dev.parley.domain.turn.InboundId;
import dev.parley.domain.turn.PlatformMessage;
import dev.parley.domain.turn.RunId;
import dev.parley.domain.turn.TurnId;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/** Checks preconditions against what the current transaction sees. Changes nothing. */
final class Checks implements Precondition.Facts<SQLException> {
    private final Writer writer;

    Checks(Writer writer) {
        this.writer = writer;
    }

    /** Returns the first precondition that does not hold, or nothing. */
    Optional<Precondition> firstBroken(List<Precondition> preconditions) throws SQLException {
        for (Precondition precondition : preconditions) {
            if (!precondition.holds(this)) {
                return Optional.of(precondition);
            }
        }
        return Optional.empty();
    }

    @Override
    public long epoch(SessionKey lane) throws SQLException {
        return writer.lanes().epoch(Unicode.wellFormed(lane.value())).orElse(Lane.ABSENT);
    }

    @Override
    public boolean isClaimed(TurnId turn, RunId run) throws SQLException {
        return writer.queue().isClaimed(Unicode.wellFormed(turn.value()), Unicode.wellFormed(run.value()));
    }

    @Override
    public boolean isReceived(PlatformMessage message) throws SQLException {
        return writer.queue().isReceived(message);
    }

    @Override
    public boolean isAdmitted(InboundId inbound) throws SQLException {
        return writer.queue().isAdmitted(Unicode.wellFormed(inbound.value()));
    }

    @Override
    public boolean isTitleTaken(String title, SessionId by) throws SQLException {
        return writer.sessions().isTitleTaken(title, by);
    }

    @Override
    public boolean exists(SessionId session) throws SQLException {
        return writer.sessions().exists(session);
    }

    @Override
    public boolean isCurrent(SessionId session) throws SQLException {
        return writer.lanes().isCurrent(session.value());
    }

    @Override
    public Hold hold(SessionKey lane) throws SQLException {
        return writer.upkeep().hold(Unicode.wellFormed(lane.value()));
    }

    @Override
    public long lastOrdinal(SessionKey lane) throws SQLException {
        return writer.queue().lastOrdinal(Unicode.wellFormed(lane.value()));
    }
}
