package dev.parley.adapter.whatsappcloud.webhook;

import java.net.InetAddress;
import java.net.URI;

/**
 * Where Meta's posts come in.
 *
 * @param bind the address to listen on
 * @param port the port to listen on; 0 means any free one
 * @param path the only path that is answered
 */
public record Listening(InetAddress bind, int port, String path) {
    /** Returns the webhook's address on this machine, with the port that was found. */
    URI address(int found) {
        String text = bind.isAnyLocalAddress() ? "127.0.0.1" : bind.getHostAddress();
        String host = text.contains(":") ? "[" + text + "]" : text;
        return URI.create("http://" + host + ":" + found + path);
    }
}
