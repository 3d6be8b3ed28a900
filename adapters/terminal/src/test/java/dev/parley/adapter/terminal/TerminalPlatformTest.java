package dev.parley.adapter.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.application.port.AnswerListener;
import dev.parley.application.port.DeliveryFailed;
import dev.parley.application.port.GatewayInspection;
import dev.parley.application.port.Ids;
import dev.parley.application.port.InboundListener;
import dev.parley.application.port.Receipt;
import dev.parley.application.port.Received;
import dev.parley.application.port.Timers;
import dev.parley.application.spi.ProviderSettings;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.source.Platform;
import dev.parley.domain.turn.InboundId;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.OutgoingId;
import dev.parley.domain.turn.TurnId;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.jline.terminal.impl.ExternalTerminal;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TerminalPlatformTest {
    private static final TurnId TURN = new TurnId("turn-1");
    private static final SessionKey LANE = SessionKey.of("agent:main:local:dm:alice");

    @TempDir
    private Path home;

    private final ExecutorService executor = Executors.newCachedThreadPool();
    private final LinkedBlockingQueue<SessionKey> interrupts = new LinkedBlockingQueue<>();
    private final Gateway gateway = new Gateway();
    private final List<TerminalPlatform> started = new ArrayList<>();

    @AfterEach
    void stop() {
        started.forEach(TerminalPlatform::stop);
        executor.shutdownNow();
    }

    // ---- without a terminal

    @Test
    void eachLineIsAMessageAndTheNextWaitsForItsAnswer() throws Exception {
        gateway.answering = (message, answer) -> {
            answer.streamed(TURN, "you ");
            answer.streamed(TURN, "said ");
            answer.finished(TURN, "you said " + message.text());
            return admitted();
        };
        StringWriter out = new StringWriter();
        TerminalPlatform platform = lines("hello\n\nand \\\nmore\\\\\n", out);

        assertThat(left(platform)).isEqualTo(TerminalPlatform.Leaving.END_OF_INPUT);
        assertThat(gateway.texts()).containsExactly("hello", "and \nmore\\\\");
        assertThat(out.toString()).startsWith("you said hello" + System.lineSeparator());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\\\nand more"})
    void aMessageThatIsTooLongIsNotSentAndTheNextOneIs(String further) throws Exception {
        StringWriter out = new StringWriter();
        left(lines("long ".repeat(300_000) + further + "\nshort\n", out));

        assertThat(gateway.texts()).containsExactly("short");
        assertThat(out.toString())
                .contains("The message was not sent: it is longer than 1048576 characters. Send it in parts.");
    }

    @Test
    void whatOthersWroteSteersNoTerminalThatPrintsWhatIsPiped() throws Exception {
        gateway.answering = (message, answer) -> {
            answer.streamed(TURN, "\u001b[2Jsaid\u0007 \u009b1m");
            answer.finished(TURN, "said 1m");
            return admitted();
        };
        StringWriter out = new StringWriter();
        left(lines("hello\n", out));

        assertThat(out.toString()).startsWith("[2Jsaid 1m" + System.lineSeparator());
    }

    @Test
    void whoeverTalksIsTheChatAndTheUser() throws Exception {
        left(lines("hello\n", new StringWriter()));

        Received message = gateway.received.get(0);
        assertThat(message.source().platform()).isEqualTo(Platform.LOCAL);
        assertThat(message.source().chatId()).isEqualTo("alice");
        assertThat(message.source().userId()).contains("alice");
        assertThat(message.source().chatType().isDm()).isTrue();
        assertThat(message.messageId()).isEmpty();
        assertThat(gateway.connected).containsExactly(Platform.LOCAL);
    }

    @Test
    void leavingIsAsked() throws Exception {
        assertThat(left(lines("/quit\nnot read\n", new StringWriter()))).isEqualTo(TerminalPlatform.Leaving.PERSON);
        assertThat(gateway.received).isEmpty();
    }

    @Test
    void theReplyOfACommandIsShownOnce() throws Exception {
        TerminalPlatform[] platform = new TerminalPlatform[1];
        Outgoing reply = outgoing("o-1", "alice", Outgoing.Kind.REPLY, "a new session", Optional.empty());
        gateway.answering = (message, answer) -> {
            platform[0].send(reply);
            answer.replied(reply);
            answer.closed("a command");
            return admitted();
        };
        StringWriter out = new StringWriter();
        platform[0] = create(() -> new LineScreen(new StringReader("/new\n"), new PrintWriter(out)));
        platform[0].start(gateway);
        left(platform[0]);

        assertThat(out.toString().lines()).containsExactly("a new session");
    }

    @ParameterizedTest
    @CsvSource({"true, true", "true, false", "false, true", "false, false"})
    void anAnswerIsShownOnceWhicheverWayComesFirst(boolean sentFirst, boolean streamedBefore) throws Exception {
        TerminalPlatform[] platform = new TerminalPlatform[1];
        Outgoing sent = outgoing("o-1", "alice", Outgoing.Kind.REPLY, "an answer", Optional.of(TURN));
        gateway.answering = (message, answer) -> {
            if (streamedBefore) {
                answer.streamed(TURN, "an ");
            }
            if (sentFirst) {
                platform[0].send(sent);
            }
            answer.finished(TURN, "an answer");
            if (!sentFirst) {
                platform[0].send(sent);
            }
            return admitted();
        };
        StringWriter out = new StringWriter();
        platform[0] = create(() -> new LineScreen(new StringReader("hi\n"), new PrintWriter(out)));
        platform[0].start(gateway);
        left(platform[0]);

        assertThat(out.toString().lines()).containsExactly("an answer");
    }

    @Test
    void anAnswerThatBecameAnotherWhileItWasStreamedIsShownAsItIsStored() throws Exception {
        gateway.answering = (message, answer) -> {
            answer.streamed(TURN, "never mind");
            answer.finished(TURN, "this is it");
            return admitted();
        };
        StringWriter out = new StringWriter();
        left(lines("hi\n", out));

        assertThat(out.toString().lines()).containsExactly("never mind", "this is it");
    }

    @Test
    void whatIsNotTakenIsSaid() throws Exception {
        List<Receipt> receipts = new ArrayList<>(
                List.of(new Receipt.Refused("not on the list"), new Receipt.Unavailable("The disk is full.")));
        gateway.answering = (message, answer) -> CompletableFuture.completedFuture(receipts.remove(0));
        StringWriter out = new StringWriter();
        left(lines("a\nb\n", out));

        assertThat(out.toString().lines())
                .containsExactly(
                        "The message was refused: not on the list",
                        "The message was not taken: The disk is full. Send it again.");
    }

    @Test
    void messagesForOtherChatsAreShownUnderTheirName() {
        StringWriter out = new StringWriter();
        TerminalPlatform platform = create(() -> new LineScreen(new StringReader(""), new PrintWriter(out)));
        platform.start(gateway);
        platform.send(outgoing("o-1", "bob", Outgoing.Kind.REPLY, "hi", Optional.empty()));
        platform.send(outgoing("o-2", "alice", Outgoing.Kind.NOTICE, "yours", Optional.empty()));

        assertThat(out.toString().lines()).containsExactly("[bob] hi", "yours");
    }

    @Test
    void aTerminalThatIsClosedTakesNoMessages() {
        TerminalPlatform platform = lines("", new StringWriter());
        platform.stop();
        platform.stop();

        assertThatThrownBy(() -> platform.send(outgoing("o-1", "alice", Outgoing.Kind.REPLY, "hi", Optional.empty())))
                .isInstanceOfSatisfying(
                        DeliveryFailed.class, e -> assertThat(e.isPermanent()).isFalse());
    }

    // ---- with a terminal

    @ParameterizedTest
    @CsvSource({"dumb", "xterm-256color"})
    void aPersonTypesAndReads(String type) throws Exception {
        gateway.answering = (message, answer) -> {
            answer.streamed(TURN, "hel");
            answer.finished(TURN, "hello " + message.text());
            return admitted();
        };
        Keyboard keyboard = new Keyboard(type, Map.of());
        TerminalPlatform platform = keyboard.platform;

        keyboard.awaits("> ");
        keyboard.types("it's \"me\" \\! !!\r");
        keyboard.awaits("hello it's \"me\" \\! !!");
        keyboard.types("\u0004");

        assertThat(left(platform)).isEqualTo(TerminalPlatform.Leaving.PERSON);
        assertThat(gateway.texts()).containsExactly("it's \"me\" \\! !!");
    }

    @Test
    void aMessageMayHaveSeveralLines() throws Exception {
        Keyboard keyboard = new Keyboard("xterm", Map.of());

        keyboard.awaits("> ");
        keyboard.types("one\u001b\rtwo\\\rthree\r");

        assertThat(gateway.next().text()).isEqualTo("one\ntwo\nthree");
    }

    @Test
    void ctrlCInterruptsTheTurnThatIsAwaited() throws Exception {
        LinkedBlockingQueue<AnswerListener> answers = new LinkedBlockingQueue<>();
        gateway.answering = (message, answer) -> {
            answers.add(answer);
            return admitted();
        };
        Keyboard keyboard = new Keyboard("xterm", Map.of());
        keyboard.awaits("> ");
        keyboard.types("think\r");
        AnswerListener answer = answers.poll(30, TimeUnit.SECONDS);
        answer.streamed(TURN, "well");
        keyboard.awaits("well");
        keyboard.types("\u0003");

        assertThat(interrupts.poll(30, TimeUnit.SECONDS)).isEqualTo(LANE);
        answer.closed("interrupted");
        keyboard.types("next\r");
        assertThat(gateway.next().text()).isEqualTo("think");
        assertThat(gateway.next().text()).isEqualTo("next");
    }

    @Test
    void aSecondCtrlCNoLongerWaits() throws Exception {
        gateway.answering = (message, answer) -> admitted();
        Keyboard keyboard = new Keyboard("xterm", Map.of());
        keyboard.awaits("> ");
        keyboard.types("think\r");
        gateway.next();
        keyboard.types("\u0003");
        assertThat(interrupts.poll(30, TimeUnit.SECONDS)).isEqualTo(LANE);
        keyboard.types("\u0003");
        keyboard.awaits("Not waiting any longer");
        keyboard.types("next\r");

        assertThat(gateway.next().text()).isEqualTo("next");
    }

    @Test
    void ctrlCAtThePromptLeavesNothingAndInterruptsNothing() throws Exception {
        Keyboard keyboard = new Keyboard("xterm", Map.of());
        keyboard.awaits("> ");
        keyboard.types("half a mess\u0003");
        keyboard.awaits("Nothing is running");
        keyboard.types("whole\r");

        assertThat(gateway.next().text()).isEqualTo("whole");
        assertThat(interrupts).isEmpty();
    }

    @Test
    void whatOthersWriteCannotSteerTheTerminal() throws Exception {
        Keyboard keyboard = new Keyboard("xterm", Map.of());
        keyboard.awaits("> ");
        keyboard.platform.send(
                outgoing("o-1", "alice", Outgoing.Kind.REPLY, "a\u001b]0;title\u0007b\u009b31mc", Optional.empty()));

        keyboard.awaits("a]0;titleb31mc");
    }

    @Test
    void whatWasTypedIsRememberedForItsOwnerOnly() throws Exception {
        Keyboard keyboard = new Keyboard("xterm", Map.of());
        keyboard.awaits("> ");
        keyboard.types("remember me\r");
        gateway.next();
        keyboard.types("\u0004");
        left(keyboard.platform);
        keyboard.platform.stop();

        Path history = TerminalPlatform.history(home);
        assertThat(Files.readAllLines(history)).containsExactly("remember me");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(history)))
                .isEqualTo("rw-------");

        Keyboard again = new Keyboard("xterm", Map.of());
        again.awaits("> ");
        again.types("\u0010\r");
        assertThat(gateway.next().text()).isEqualTo("remember me");
    }

    @Test
    void coloursAreUsedOnATerminalUnlessTheyAreNotWanted() throws Exception {
        Keyboard coloured = new Keyboard("xterm-256color", Map.of());
        coloured.awaits("> ");
        assertThat(coloured.shown()).contains("\u001b[2mYou are alice.");

        Keyboard plain = new Keyboard("xterm-256color", Map.of("NO_COLOR", "1"));
        plain.awaits("> ");
        assertThat(plain.shown()).contains("You are alice.").doesNotContain("\u001b[2m", "\u001b[36");
    }

    @Test
    void stoppingEndsTheWaitAndTheReading() throws Exception {
        gateway.answering = (message, answer) -> admitted();
        Keyboard keyboard = new Keyboard("xterm", Map.of());
        keyboard.awaits("> ");
        keyboard.types("think\r");
        gateway.next();
        keyboard.platform.stop();
        executor.shutdown();

        assertThat(executor.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
        assertThat(keyboard.platform.left().toCompletableFuture()).isNotDone();
    }

    // ---- help

    private TerminalPlatform lines(String input, StringWriter out) {
        TerminalPlatform platform = create(() -> new LineScreen(new StringReader(input), new PrintWriter(out)));
        platform.start(gateway);
        return platform;
    }

    private TerminalPlatform create(Supplier<Screen> screen) {
        TerminalPlatform platform = new TerminalPlatform(settings(Map.of()), interrupts::add, screen);
        started.add(platform);
        return platform;
    }

    private static TerminalPlatform.Leaving left(TerminalPlatform platform) throws Exception {
        return platform.left().toCompletableFuture().get(30, TimeUnit.SECONDS);
    }

    private static CompletionStage<Receipt> admitted() {
        return CompletableFuture.completedFuture(new Receipt.Admitted(new InboundId("in-1"), LANE));
    }

    private static Outgoing outgoing(String id, String chat, Outgoing.Kind kind, String text, Optional<TurnId> turn) {
        return new Outgoing(
                new OutgoingId(id),
                Optional.of(LANE),
                Platform.LOCAL,
                chat,
                Optional.empty(),
                text,
                kind,
                Instant.EPOCH,
                turn,
                Outgoing.State.ATTEMPTED,
                1);
    }

    private ProviderSettings settings(Map<String, String> environment) {
        return new ProviderSettings(
                "platforms.local",
                Map.of("name", "alice"),
                environment,
                home,
                () -> Instant.EPOCH,
                unused(Ids.class),
                unused(Timers.class),
                executor,
                warning -> {
                    throw new AssertionError(warning);
                },
                unused(GatewayInspection.class));
    }

    private static <T> T unused(Class<T> type) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, a) -> {
            throw new AssertionError("not needed in a terminal: " + method);
        }));
    }

    /** Takes every message and answers as it is told to. */
    private static final class Gateway implements InboundListener {
        private final List<Received> received = new CopyOnWriteArrayList<>();
        private final LinkedBlockingQueue<Received> waiting = new LinkedBlockingQueue<>();
        private final List<Platform> connected = new CopyOnWriteArrayList<>();
        private volatile BiFunction<Received, AnswerListener, CompletionStage<Receipt>> answering =
                (message, answer) -> {
                    answer.finished(new TurnId("turn of " + message.text()), "ok");
                    return admitted();
                };

        List<String> texts() {
            return received.stream().map(Received::text).toList();
        }

        Received next() throws InterruptedException {
            Received next = waiting.poll(30, TimeUnit.SECONDS);
            assertThat(next).isNotNull();
            return next;
        }

        @Override
        public CompletionStage<Receipt> receive(Received message, AnswerListener answer) {
            received.add(message);
            waiting.add(message);
            return answering.apply(message, answer);
        }

        @Override
        public void connected(Platform platform) {
            connected.add(platform);
        }

        @Override
        public void disconnected(Platform platform) {
            connected.remove(platform);
        }
    }

    /** A person before a terminal that is made of streams. */
    private final class Keyboard {
        private final PipedOutputStream keys = new PipedOutputStream();
        private final ByteArrayOutputStream shown = new ByteArrayOutputStream();
        private final TerminalPlatform platform;

        Keyboard(String type, Map<String, String> environment) {
            platform = new TerminalPlatform(settings(environment), interrupts::add, () -> screen(type, environment));
            started.add(platform);
            platform.start(gateway);
        }

        private Screen screen(String type, Map<String, String> environment) {
            try {
                ExternalTerminal terminal = new ExternalTerminal(
                        "test",
                        type,
                        new PipedInputStream(keys, 1 << 16),
                        new OutputStream() {
                            @Override
                            public void write(int b) {
                                synchronized (shown) {
                                    shown.write(b);
                                    shown.notifyAll();
                                }
                            }
                        },
                        StandardCharsets.UTF_8);
                return new TerminalScreen(
                        terminal,
                        TerminalPlatform.history(home),
                        TerminalPlatform.hasColours(terminal, environment),
                        warning -> {
                            throw new AssertionError(warning);
                        });
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        void types(String text) throws IOException {
            keys.write(text.getBytes(StandardCharsets.UTF_8));
            keys.flush();
        }

        String shown() {
            synchronized (shown) {
                return shown.toString(StandardCharsets.UTF_8);
            }
        }

        void awaits(String text) throws InterruptedException {
            synchronized (shown) {
                long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
                while (!shown().contains(text)) {
                    long left = TimeUnit.NANOSECONDS.toMillis(until - System.nanoTime());
                    assertThat(left)
                            .as("waiting for '%s' in: %s", text, shown())
                            .isPositive();
                    shown.wait(left);
                }
            }
        }
    }
}
