package dev.parley.testing;

import dev.parley.application.port.AnswerListener;
import dev.parley.application.port.ChatPlatform;
import dev.parley.application.port.DeliveryFailed;
import dev.parley.application.port.InboundListener;
import dev.parley.application.port.Receipt;
import dev.parley.application.port.Received;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.turn.Outgoing;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A platform without a network: what is sent is kept, what people say is handed in by the test, and it fails when it is told
 * to. Connected as soon as it is started, unless it was disconnected before. Safe for concurrent use.
 */
public final class RecordingPlatform implements ChatPlatform {
    /** What becomes of a message that is sent. */
    public enum Behaviour {
        /** It arrives. */
        DELIVER,
        /** It does not arrive; trying again may help. */
        FAIL,
        /** It does not arrive and never will. */
        REFUSE,
        /** It arrives, but the sender is told that it did not. */
        DELIVER_AND_FAIL
    }

    private final Platform name;
    private final Traits traits;
    private final List<Outgoing> tried = new ArrayList<>();
    private final List<Outgoing> delivered = new ArrayList<>();
    private Behaviour behaviour = Behaviour.DELIVER;
    private boolean connected = true;
    private @Nullable InboundListener listener;

    /** A platform that redacts nothing and does not recognise repeated sends. */
    public RecordingPlatform(Platform name) {
        this(name, new Traits(false, false, false));
    }

    /** A platform with these traits; one that recognises repeats shows each message once. */
    public RecordingPlatform(Platform name, Traits traits) {
        this.name = name;
        this.traits = traits;
    }

    @Override
    public Platform name() {
        return name;
    }

    @Override
    public Traits traits() {
        return traits;
    }

    @Override
    public void start(InboundListener inbound) {
        boolean tell;
        synchronized (this) {
            listener = inbound;
            tell = connected;
        }
        if (tell) {
            inbound.connected(name);
        }
    }

    @Override
    public synchronized void send(Outgoing message) {
        if (listener == null || !connected) {
            throw new DeliveryFailed("The platform " + name + " is not connected; try again later.", false, null);
        }
        tried.add(message);
        boolean arrives = behaviour == Behaviour.DELIVER || behaviour == Behaviour.DELIVER_AND_FAIL;
        if (arrives && !(traits.recognisesRepeats() && isShown(message))) {
            delivered.add(message);
        }
        if (behaviour != Behaviour.DELIVER) {
            throw new DeliveryFailed(
                    "The platform " + name + " did not take the message.", behaviour == Behaviour.REFUSE, null);
        }
    }

    private boolean isShown(Outgoing message) {
        return delivered.stream().anyMatch(d -> d.id().equals(message.id()));
    }

    @Override
    public synchronized void stop() {
        listener = null;
    }

    /** Hands in a message that somebody wrote. */
    public CompletionStage<Receipt> say(SessionSource source, String text, String messageId) {
        return say(new Received(source, text, List.of(), Optional.of(messageId)), AnswerListener.NONE);
    }

    /** Hands in a message and listens for its answer. */
    public CompletionStage<Receipt> say(Received message, AnswerListener answer) {
        return started().receive(message, answer);
    }

    /** Sets what becomes of messages from now on. */
    public synchronized void behave(Behaviour next) {
        behaviour = next;
    }

    /** Loses the connection: sending fails until {@link #connect}. */
    public void disconnect() {
        @Nullable InboundListener told;
        synchronized (this) {
            connected = false;
            told = listener;
        }
        if (told != null) {
            told.disconnected(name);
        }
    }

    /** Gets the connection back. */
    public void connect() {
        @Nullable InboundListener told;
        synchronized (this) {
            connected = true;
            told = listener;
        }
        if (told != null) {
            told.connected(name);
        }
    }

    /** Returns whether it was started and not stopped. */
    public synchronized boolean isStarted() {
        return listener != null;
    }

    /** Returns every message that sending was tried for while connected, in order. */
    public synchronized List<Outgoing> tried() {
        return List.copyOf(tried);
    }

    /** Returns the messages that people see, in order. */
    public synchronized List<Outgoing> delivered() {
        return List.copyOf(delivered);
    }

    /** Returns the texts that people see in a chat, in order. */
    public synchronized List<String> texts(String chatId) {
        return delivered.stream()
                .filter(m -> m.chatId().equals(chatId))
                .map(Outgoing::text)
                .toList();
    }

    private synchronized InboundListener started() {
        if (listener == null) {
            throw new IllegalStateException("The platform " + name + " was not started; start it first.");
        }
        return listener;
    }
}
