package dev.parley.adapter.terminal;

import dev.parley.application.port.AnswerListener;
import dev.parley.application.port.ChatPlatform;
import dev.parley.application.port.DeliveryFailed;
import dev.parley.application.port.InboundListener;
import dev.parley.application.port.ParleyException;
import dev.parley.application.port.Receipt;
import dev.parley.application.port.Received;
import dev.parley.application.port.StrippedFailure;
import dev.parley.application.spi.ProviderSettings;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.TurnId;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;
import org.jspecify.annotations.Nullable;

/**
 * A conversation in the terminal of this process, or on its standard input and output where they are no terminal. Whoever talks is
 * named by the setting {@code name}; that is the chat id as well. One message at a time: the next is read once the answer is
 * there.
 */
public final class TerminalPlatform implements ChatPlatform {
    private final ProviderSettings settings;
    private final String name;
    private final Predicate<SessionKey> interrupt;
    private final Supplier<Screen> screens;
    private final CompletableFuture<Leaving> left = new CompletableFuture<>();
    private final Shown shown = new Shown();
    private @Nullable Screen screen;
    private @Nullable Exchange current;

    /** Why nothing more will be typed. */
    public enum Leaving {
        /** The person has left. */
        PERSON,
        /** The input was no terminal and has ended. */
        END_OF_INPUT
    }

    TerminalPlatform(ProviderSettings settings, Predicate<SessionKey> interrupt, Supplier<Screen> screens) {
        this.settings = settings;
        this.name = settings.value(TerminalProvider.NAME)
                .orElseGet(() -> System.getProperty("user.name", "").isBlank()
                        ? "local"
                        : System.getProperty("user.name").strip());
        this.interrupt = interrupt;
        this.screens = screens;
    }

    /**
     * Returns the platform on the standard streams of this process, not yet started.
     *
     * @param interrupt asks the turn that runs on a lane to end; tells whether one was running. Called from a thread that may
     *     block
     */
    public static TerminalPlatform of(ProviderSettings settings, Predicate<SessionKey> interrupt) {
        return new TerminalPlatform(settings, interrupt, () -> standard(settings));
    }

    private static Screen standard(ProviderSettings settings) {
        try {
            Terminal terminal = TerminalBuilder.builder()
                    .system(true)
                    .systemOutput(TerminalBuilder.SystemOutput.SysOut)
                    .dumb(false)
                    .build();
            return new TerminalScreen(
                    terminal,
                    history(settings.home()),
                    hasColours(terminal, settings.environment()),
                    settings.warnings());
        } catch (IOException | IllegalStateException noTerminal) {
            return new LineScreen(
                    new InputStreamReader(System.in, StandardCharsets.UTF_8),
                    new PrintWriter(System.out, false, StandardCharsets.UTF_8));
        }
    }

    static boolean hasColours(Terminal terminal, Map<String, String> environment) {
        return !terminal.getType().startsWith(Terminal.TYPE_DUMB)
                && environment.getOrDefault("NO_COLOR", "").isEmpty();
    }

    static Path history(Path home) {
        return home.resolve("terminal_history");
    }

    /** Completes when nothing more will be typed and the last answer is there; not when the platform is stopped. */
    public CompletionStage<Leaving> left() {
        return left.minimalCompletionStage();
    }

    @Override
    public Platform name() {
        return Platform.LOCAL;
    }

    @Override
    public boolean isShared() {
        return true;
    }

    @Override
    public Traits traits() {
        return new Traits(false, true, true).carryingFiles();
    }

    @Override
    public void start(InboundListener listener) {
        Screen opened = screens.get();
        synchronized (this) {
            screen = opened;
        }
        opened.onInterrupt(() -> settings.executor().execute(this::interruptCurrent));
        if (opened.isInteractive()) {
            opened.note("You are " + name + ". Ctrl-C interrupts an answer, Ctrl-D leaves, /help tells more.");
        }
        listener.connected(Platform.LOCAL);
        settings.executor().execute(() -> converse(opened, listener));
    }

    private void converse(Screen on, InboundListener listener) {
        while (isOpen()) {
            Screen.Typed typed = on.read();
            if (typed instanceof Screen.Typed.Message message) {
                String text = message.text();
                if (text.strip().equals("/exit") || text.strip().equals("/quit")) {
                    left.complete(Leaving.PERSON);
                    return;
                }
                if (!text.isBlank()) {
                    exchange(on, listener, text);
                }
            } else if (typed instanceof Screen.Typed.TooLong tooLong) {
                on.note("The message was not sent: it is longer than " + tooLong.limit()
                        + " characters. Send it in parts.");
            } else if (typed instanceof Screen.Typed.Interrupted) {
                on.note("Nothing is running; Ctrl-D leaves.");
            } else {
                if (isOpen()) {
                    left.complete(on.isInteractive() ? Leaving.PERSON : Leaving.END_OF_INPUT);
                }
                return;
            }
        }
    }

    private void exchange(Screen on, InboundListener listener, String text) {
        Exchange exchange = new Exchange(on);
        synchronized (this) {
            current = exchange;
        }
        SessionSource source = SessionSource.builder(Platform.LOCAL, name)
                .userId(name)
                .userName(name)
                .build();
        var unused = listener.receive(new Received(source, text, List.of(), Optional.empty()), exchange)
                .whenComplete((receipt, failure) -> {
                    if (receipt == null) {
                        exchange.notTaken(
                                "The message was not taken (" + StrippedFailure.line(failure) + "); send it again.");
                    } else {
                        exchange.taken(receipt);
                    }
                });
        exchange.ended.join();
        synchronized (this) {
            current = null;
        }
        on.endStream();
    }

    private synchronized boolean isOpen() {
        return screen != null;
    }

    private void interruptCurrent() {
        Exchange exchange;
        synchronized (this) {
            exchange = current;
        }
        if (exchange != null) {
            exchange.interrupt();
        }
    }

    /**
     * {@inheritDoc}
     *
     * <p>What the person who typed has seen already is not shown again; what is for another chat is shown under its name.
     */
    @Override
    public void send(Outgoing message) {
        Screen on;
        Exchange exchange;
        synchronized (this) {
            on = screen;
            exchange = current;
        }
        if (on == null) {
            throw new DeliveryFailed(
                    "The terminal is closed; message " + message.id().value() + " waits.", false, null);
        }
        if (exchange != null && exchange.isAnsweredBy(message)) {
            exchange.finished(message.turn().orElseThrow(), said(message));
        } else if (shown.first(message)) {
            String said = said(message);
            String text = message.chatId().equals(name) ? said : "[" + message.chatId() + "] " + said;
            if (message.kind() == Outgoing.Kind.REPLY) {
                on.show(text);
            } else {
                on.note(text);
            }
        }
    }

    /** Returns what is shown of a message: its text, and where its files lie. */
    private static String said(Outgoing message) {
        StringJoiner said = new StringJoiner("\n");
        if (!message.text().isEmpty() || message.attachments().isEmpty()) {
            said.add(message.text());
        }
        message.attachments()
                .forEach(file -> said.add("[" + file.kind()
                        + file.name().map(called -> ": " + called).orElse("") + " at " + file.location() + "]"));
        return said.toString();
    }

    @Override
    public void stop() {
        Screen last;
        Exchange waiting;
        synchronized (this) {
            last = screen;
            waiting = current;
            screen = null;
        }
        if (waiting != null) {
            waiting.ended.complete(null);
        }
        if (last != null) {
            last.close();
        }
    }

    /** One message that was typed and what came of it. */
    private final class Exchange implements AnswerListener {
        private final Screen on;
        private final CompletableFuture<@Nullable Void> ended = new CompletableFuture<>();
        private final StringBuilder streamed = new StringBuilder();
        private Optional<SessionKey> lane = Optional.empty();
        private Optional<TurnId> turn = Optional.empty();
        private boolean interrupted;

        Exchange(Screen on) {
            this.on = on;
        }

        synchronized void taken(Receipt receipt) {
            if (receipt instanceof Receipt.Admitted admitted) {
                lane = Optional.of(admitted.lane());
                if (interrupted) {
                    settings.executor().execute(this::interruptLane);
                }
            } else if (receipt instanceof Receipt.Refused refused) {
                notTaken("The message was refused: " + refused.why());
            } else if (receipt instanceof Receipt.Unavailable unavailable) {
                notTaken("The message was not taken: " + unavailable.why() + " Send it again.");
            } else {
                notTaken("The message was received before.");
            }
        }

        void notTaken(String why) {
            on.note(why);
            ended.complete(null);
        }

        /** The first time asks the turn to end; the second time no longer waits for that. */
        void interrupt() {
            boolean again;
            synchronized (this) {
                again = interrupted;
                interrupted = true;
            }
            if (again) {
                on.note("Not waiting any longer; the answer is shown when it comes.");
                ended.complete(null);
            } else {
                interruptLane();
            }
        }

        private void interruptLane() {
            Optional<SessionKey> of;
            synchronized (this) {
                of = lane;
            }
            if (of.isEmpty()) {
                return;
            }
            try {
                if (!interrupt.test(of.get())) {
                    on.note("Nothing is running yet; press Ctrl-C again to wait no longer.");
                }
            } catch (ParleyException e) {
                on.note("The answer could not be interrupted: " + e.getMessage());
            }
        }

        /** Returns whether this is the answer of which a part was shown already. */
        synchronized boolean isAnsweredBy(Outgoing message) {
            return message.kind() == Outgoing.Kind.REPLY
                    && turn.isPresent()
                    && message.turn().equals(turn);
        }

        @Override
        public synchronized void streamed(TurnId of, String delta) {
            turn = Optional.of(of);
            streamed.append(delta);
            on.stream(delta);
        }

        @Override
        public synchronized void replied(Outgoing reply) {
            send(reply);
        }

        @Override
        public synchronized void finished(Outgoing answer) {
            answer.turn().ifPresent(of -> finished(of, said(answer)));
        }

        @Override
        public synchronized void finished(TurnId of, String text) {
            if (!shown.first(of)) {
                // It was sent before it was told here, as after a wait that was given up.
                ended.complete(null);
                return;
            }
            String said = streamed.toString();
            if (!said.isEmpty() && text.startsWith(said)) {
                on.stream(text.substring(said.length()));
                on.endStream();
            } else if (!text.isEmpty()) {
                on.show(text);
            }
            ended.complete(null);
        }

        @Override
        public synchronized void closed(String why) {
            on.endStream();
            ended.complete(null);
        }
    }
}
