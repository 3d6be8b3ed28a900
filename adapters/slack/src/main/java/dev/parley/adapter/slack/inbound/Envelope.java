package dev.parley.adapter.slack.inbound;

/**
 * What a piece of work came in, and which connection it came by: only there it can be acknowledged.
 *
 * @param socket the connection
 * @param id its id
 */
record Envelope(Socket socket, String id) {
    /** Tells Slack that the work is received; where the connection has gone Slack offers it again. */
    void acknowledge() {
        socket.acknowledge(id);
    }
}
