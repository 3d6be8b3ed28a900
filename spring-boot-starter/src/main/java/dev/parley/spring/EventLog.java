package dev.parley.spring;

import dev.parley.application.port.GatewayEvent;
import dev.parley.application.port.GatewayEvents;
import java.util.Optional;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/** Writes trouble and changes of sessions to the application's log, under {@code parley.gateway}; what people say is in no line. */
final class EventLog implements GatewayEvents {
    static final Log LOG = LogFactory.getLog("parley.gateway");

    @Override
    public boolean neverBlocks() {
        return true;
    }

    @Override
    public void on(GatewayEvent event) {
        if (event instanceof GatewayEvent.Trouble trouble) {
            String lane = trouble.lane().map(key -> key.value() + ": ").orElse("");
            LOG.warn(lane
                    + trouble.what()
                    + trouble.cause()
                            .map(EventLog::firstLine)
                            .filter(cause -> !trouble.what().contains(cause))
                            .map(cause -> " [" + cause + "]")
                            .orElse(""));
            trouble.cause().ifPresent(cause -> LOG.debug("the cause", cause));
        } else if (event instanceof GatewayEvent.Transition transition) {
            LOG.info(transition.event().lane().value() + ": "
                    + transition.event().kind().text() + " ("
                    + transition.event().reason() + ")");
        } else if (event instanceof GatewayEvent.Degraded degraded) {
            LOG.warn("The fallback takes what comes, since the storage cannot be used: " + degraded.why());
        } else if (event instanceof GatewayEvent.Healed healed) {
            LOG.info("The storage is back; " + healed.messages() + " messages of meanwhile are in it.");
        } else if (event instanceof GatewayEvent.Expired expired) {
            LOG.warn(expired.words());
        } else if (event instanceof GatewayEvent.Dropped dropped) {
            LOG.info(dropped.lane().value() + ": a message was not taken: " + dropped.why());
        }
    }

    private static String firstLine(Throwable cause) {
        return Optional.ofNullable(cause.getMessage())
                .flatMap(message ->
                        message.lines().filter(line -> !line.isBlank()).findFirst())
                .orElseGet(() -> cause.getClass().getSimpleName());
    }
}
