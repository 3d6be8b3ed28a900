package dev.parley.application.lane;

import dev.parley.domain.key.SessionKey;
import java.util.Optional;

/**
 * Why what waits does not begin now.
 *
 * @param told what people are told who write meanwhile; their message is kept
 * @param stops whether the gateway stops, so that not even a turn that resumes begins; else an operator holds new turns back, or the lane waits for a place
 */
public record Standstill(String told, boolean stops) {
    static final String HELD = "The gateway is being maintained. Your message is kept and will be answered afterwards.";
    private static final String CROWDED =
            "Other conversations are being answered right now. Your message is kept and will be answered after them.";

    /** Returns why what waits in a lane does not begin now: that of the gateway, or that the lane is free and waits for a place. */
    static Optional<Standstill> of(GatewayState gateway, SessionKey lane, LaneState state) {
        return gateway.standstill()
                .or(() -> state.slot().isFree() && gateway.places().isAwaitedBy(lane)
                        ? Optional.of(new Standstill(CROWDED, false))
                        : Optional.empty());
    }
}
