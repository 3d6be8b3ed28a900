package dev.parley.adapter.slack.inbound;

import dev.parley.adapter.kit.flow.Offer;

/**
 * What a piece of work came in, and which connection it came by: only there it can be acknowledged.
 *
 * @param socket the connection
 * @param id its id
 */
record Envelope(Socket socket, String id) implements Offer {
    /** Tells Slack that the work is received; where the connection has gone Slack offers it again. */
    @Override
    public void settle() {
        socket.acknowledge(id);
    }
}
