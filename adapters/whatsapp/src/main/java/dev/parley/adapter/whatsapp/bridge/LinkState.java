package dev.parley.adapter.whatsapp.bridge;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.adapter.kit.flow.Connection;
import dev.parley.application.ability.Diagnosing.Ailment;
import dev.parley.application.port.InboundListener;
import dev.parley.application.port.StrippedFailure;
import dev.parley.domain.source.Platform;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** How the link to WhatsApp stands: told to the gateway and, in one line for each change, to the operator. Safe for concurrent use. */
public final class LinkState {
    private static final int LOGGED_OUT = 401;
    private static final int LOCKED = 403;
    private static final int REPLACED = 440;

    private final Connection connection;
    private final Consumer<String> warnings;
    private final CompletableFuture<Void> first = new CompletableFuture<>();
    private Optional<Ailment> told = Optional.empty();
    private boolean open;

    /**
     * A link that is not there yet.
     *
     * @param listener told whether the platform can send
     * @param warnings takes one line for each change
     */
    public LinkState(InboundListener listener, Consumer<String> warnings) {
        // What is wrong changes while the connection is down, and each change is told here.
        this.connection = new Connection(Platform.WHATSAPP, "WhatsApp", listener, line -> {});
        this.warnings = warnings;
    }

    /** Returns what completes once it is known how the link stands. */
    public CompletableFuture<Void> first() {
        return first;
    }

    /** Returns what is wrong now. */
    public Optional<Ailment> ailment() {
        return connection.ailment();
    }

    /** Returns whether WhatsApp is connected. */
    public synchronized boolean isOpen() {
        return open;
    }

    void told(JsonNode word) {
        switch (word.path("type").asText()) {
            case "state" -> state(word);
            case "note" -> warnings.accept("The bridge met " + word.path("text").asText() + ".");
            case "fatal" -> fatal(word.path("text").asText());
            default -> {
                // Of a later bridge.
            }
        }
    }

    private void state(JsonNode word) {
        switch (word.path("state").asText()) {
            case "open" -> open();
            case "closed" -> closed(word.path("code").asInt());
            case "qr" -> picture(word);
            case "code" ->
                down(
                        "This gateway is not linked to a WhatsApp account yet",
                        "On the phone, under Linked devices, link with the phone number and type "
                                + word.path("code").asText() + ".");
            case "unstored" ->
                warnings.accept("A message of WhatsApp's cannot be written into the home ("
                        + word.path("why").asText() + ") and is kept in memory; make room.");
            default -> {
                // Of a later bridge.
            }
        }
    }

    private void open() {
        boolean better;
        synchronized (this) {
            better = told.isPresent();
            told = Optional.empty();
            open = true;
        }
        if (better) {
            warnings.accept("WhatsApp is connected.");
        }
        connection.up();
        first.complete(null);
    }

    private void closed(int code) {
        switch (code) {
            case LOGGED_OUT ->
                down("WhatsApp has logged this gateway out", "Link it again, with the code that follows.");
            case LOCKED ->
                down(
                        "WhatsApp refuses this account",
                        "See on the phone whether it is locked, and read what WhatsApp says.");
            case REPLACED ->
                down("Another program uses this gateway's link to WhatsApp", "Stop it, or give it a link of its own.");
            default -> down("WhatsApp cannot be reached", "");
        }
    }

    private void picture(JsonNode word) {
        String file = word.path("file").asText();
        boolean changed = down(
                "This gateway is not linked to a WhatsApp account yet",
                "Scan the code in " + file + " with the phone, under Linked devices; it changes every minute.");
        if (changed) {
            word.path("picture").asText().lines().forEach(warnings);
        }
    }

    private void fatal(String why) {
        down("The bridge to WhatsApp cannot work: " + why, "Install its packages again, with npm ci.");
    }

    void cannotStart(Path node) {
        down(
                "The bridge to WhatsApp cannot be started with " + node,
                "Name a Node.js of version 20 or later in platforms.whatsapp.node.");
    }

    /** The process has ended. */
    void ended() {
        boolean wasOpen = isOpen();
        if (wasOpen || ailment().isEmpty()) {
            down("The bridge to WhatsApp has ended by itself", "");
        }
    }

    /** Talking with the process has failed, and is tried again. */
    void failed(Throwable thrown) {
        down("The bridge to WhatsApp failed (" + StrippedFailure.line(thrown) + ")", "");
    }

    /** Notes what is wrong; returns whether that is new. */
    private boolean down(String what, String advice) {
        Ailment now = new Ailment(what, advice);
        boolean changed;
        synchronized (this) {
            changed = !told.equals(Optional.of(now));
            told = Optional.of(now);
            open = false;
        }
        if (changed) {
            warnings.accept((what + ". " + advice).strip());
        }
        connection.trouble(what, advice, true);
        first.complete(null);
        return changed;
    }
}
