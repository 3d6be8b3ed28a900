package dev.parley.application.lane;

import dev.parley.application.actor.Timing;
import dev.parley.domain.key.SessionKey;
import java.time.Instant;
import java.time.ZoneId;

/**
 * Makes the moments at which a lane decides.
 *
 * @param lane the lane
 * @param timing time and chance
 * @param zone the gateway's zone
 */
record LaneClock(SessionKey lane, Timing timing, ZoneId zone) {
    Instant now() {
        return timing.now();
    }

    Moment moment() {
        return new Moment(lane, timing.now(), zone, timing.ids());
    }
}
