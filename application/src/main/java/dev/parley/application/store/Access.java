package dev.parley.application.store;

import dev.parley.domain.session.Beginning;
import dev.parley.domain.session.Decision;
import dev.parley.domain.session.Lane;
import dev.parley.domain.session.SessionEntry;

/**
 * Which session a message belongs to, and what is stored for it to be so.
 *
 * @param decision what was decided; {@link Decision.Reuse} also where a lane without a session takes up an earlier one again
 * @param lane the lane as it will be
 * @param transition what is stored
 * @param beginning how the session began, where no turn has taken notice of it yet, and {@link Beginning.Ordinary} otherwise;
 *     what the turn tells agent and user about the reset (G3.19, R6.15)
 * @param begins whether the session counts as new to this message (G3.22)
 */
public record Access(Decision decision, Lane lane, Transition transition, Beginning beginning, boolean begins) {
    /** Returns the entry as it will be. */
    public SessionEntry entry() {
        return lane.entry();
    }
}
