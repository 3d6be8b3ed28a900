package dev.parley.application.spi;

import dev.parley.application.port.GatewayEvent;
import dev.parley.application.port.GatewayEvents;
import java.time.Duration;

/**
 * Something the gateway's web server shows under a path of its own, such as a console or metrics; it is told what the gateway
 * does. The server checks the name under which it is called, who asks, and where a form comes from, before the surface sees a
 * request. Safe for concurrent use.
 */
public interface WebSurface extends GatewayEvents {
    /** Returns its path, such as {@code /metrics}: it answers that path and everything below it. */
    String path();

    /**
     * Returns who may ask for a path at least.
     *
     * @param method the method, in capitals
     * @param path the whole path
     */
    WebRole needed(String method, String path);

    /** Returns whether people log in below its path: a token or a one-time code is taken there and a cookie given. */
    default boolean hasLogin() {
        return false;
    }

    /**
     * Answers a request. May block; a request that throws is answered with 500, and with 503 where it throws
     * {@link dev.parley.application.port.StorageUnavailable}.
     */
    WebResponse answer(WebRequest request);

    /** Takes notice of a request that the server has answered, to whichever surface or interface it went; returns at once. */
    default void served(Served request) {}

    /**
     * A request that was answered or broken off.
     *
     * @param method the method, in capitals
     * @param route what it was for, out of a list that ends, such as {@code /v1/messages}; {@code none} where there is nothing such
     * @param status the status, such as 200
     * @param took how long it took, until its answer was written
     */
    record Served(String method, String route, int status, Duration took) {}

    /** Takes notice of an event; returns at once. */
    @Override
    default void on(GatewayEvent event) {}
}
