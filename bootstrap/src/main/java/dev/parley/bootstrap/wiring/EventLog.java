package dev.parley.bootstrap.wiring;

import dev.parley.application.port.GatewayEvent;
import dev.parley.application.port.GatewayEvents;
import dev.parley.domain.key.SessionKey;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes what the gateway does to the log: changes of sessions and trouble for the operator, the rest for those who look closer. */
final class EventLog implements GatewayEvents {
    private static final Logger LOG = LoggerFactory.getLogger("parley.gateway");

    @Override
    public void on(GatewayEvent event) {
        if (event instanceof GatewayEvent.Trouble trouble) {
            String lane =
                    trouble.lane().map(SessionKey::value).map(k -> k + ": ").orElse("");
            LOG.warn("{}{}", lane, trouble.what());
            trouble.cause().ifPresent(cause -> LOG.debug("the cause", cause));
        } else if (event instanceof GatewayEvent.Transition t) {
            LOG.info(
                    "{}: {} ({})",
                    t.event().lane().value(),
                    t.event().kind().text(),
                    t.event().reason());
        } else if (event instanceof GatewayEvent.Degraded degraded) {
            LOG.error("storage is degraded, the gateway goes on with its fallback: {}", degraded.why());
        } else if (event instanceof GatewayEvent.Healed healed) {
            LOG.info(
                    "storage is whole again: {} batches, {} messages merged back", healed.batches(), healed.messages());
        } else if (event instanceof GatewayEvent.Expired expired) {
            LOG.warn(
                    "a message to {} chat {} was not delivered in time and is given up (it stays in the transcript)",
                    expired.outgoing().platform().name(),
                    expired.outgoing().chatId());
        } else if (event instanceof GatewayEvent.Dropped dropped) {
            LOG.info("{}: a message was not taken: {}", dropped.lane().value(), dropped.why());
        } else {
            LOG.debug("{}", event);
        }
    }
}
