package dev.parley.adapter.terminal;

import dev.parley.application.port.AnswerListener;
import dev.parley.application.port.ChatPlatform;
import dev.parley.application.port.GatewayInspection;
import dev.parley.application.port.Ids;
import dev.parley.application.port.InboundListener;
import dev.parley.application.port.Receipt;
import dev.parley.application.port.Received;
import dev.parley.application.port.Timers;
import dev.parley.application.spi.ProviderSettings;
import dev.parley.contracts.port.ChatPlatformContract;
import dev.parley.domain.source.Platform;
import dev.parley.domain.turn.Outgoing;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.regex.Pattern;

/**
 * The terminal keeps the contract of platforms. Its person is told only where a message is not taken; that it is taken shows in the
 * next one being read, once there is an answer, which the gateway of these tests gives to what it has admitted.
 */
class TerminalContractTest implements ChatPlatformContract {
    @Override
    public PlatformUnderTest platform() {
        return new AtATerminal();
    }

    private static final Pattern FILE = Pattern.compile("\\[document: (\\S+) at \\S+\\]");

    private static final class AtATerminal implements PlatformUnderTest {
        private final ExecutorService executor = Executors.newCachedThreadPool();
        private final Person person = new Person();
        private final TerminalPlatform platform = new TerminalPlatform(settings(executor), lane -> false, () -> person);

        @Override
        public ChatPlatform platform() {
            return new Answering(platform);
        }

        @Override
        public String chat() {
            return "alice";
        }

        @Override
        public CompletionStage<Boolean> write(String text, String messageId) {
            return person.type(text);
        }

        @Override
        public List<String> shown() {
            return List.copyOf(person.shown);
        }

        @Override
        public List<String> files() {
            return person.shown.stream()
                    .flatMap(text -> FILE.matcher(text).results().map(found -> found.group(1)))
                    .toList();
        }

        @Override
        public boolean disconnect() {
            return false;
        }

        @Override
        public void close() {
            platform.stop();
            executor.shutdownNow();
        }
    }

    /** The platform before a gateway that ends the turn of each message it has admitted without an answer. */
    private record Answering(TerminalPlatform platform) implements ChatPlatform {
        @Override
        public Platform name() {
            return platform.name();
        }

        @Override
        public Traits traits() {
            return platform.traits();
        }

        @Override
        public void start(InboundListener listener) {
            platform.start(new InboundListener() {
                @Override
                public CompletionStage<Receipt> receive(Received message, AnswerListener answer) {
                    return listener.receive(message, answer).thenApply(receipt -> {
                        if (receipt instanceof Receipt.Admitted) {
                            answer.closed("There is no answer.");
                        }
                        return receipt;
                    });
                }

                @Override
                public void connected(Platform name) {
                    listener.connected(name);
                }

                @Override
                public void disconnected(Platform name) {
                    listener.disconnected(name);
                }
            });
        }

        @Override
        public void send(Outgoing message) {
            platform.send(message);
        }

        @Override
        public void stop() {
            platform.stop();
        }
    }

    /** Types one message at a time, and sees what is shown. */
    private static final class Person implements Screen {
        private final LinkedBlockingQueue<Typed> typed = new LinkedBlockingQueue<>();
        private final List<String> shown = new CopyOnWriteArrayList<>();
        private CompletableFuture<Boolean> taken = new CompletableFuture<>();
        private boolean typing;

        synchronized CompletionStage<Boolean> type(String text) {
            taken = new CompletableFuture<>();
            typing = true;
            typed.add(new Typed.Message(text));
            return taken;
        }

        @Override
        public Typed read() {
            try {
                synchronized (this) {
                    if (typing && typed.isEmpty()) {
                        taken.complete(true);
                    }
                }
                return typed.take();
            } catch (InterruptedException e) {
                return new Typed.End();
            }
        }

        @Override
        public synchronized void note(String text) {
            if (text.contains("was not taken") || text.contains("was refused")) {
                taken.complete(false);
            }
        }

        @Override
        public void show(String text) {
            shown.add(text);
        }

        @Override
        public void stream(String piece) {
            throw new AssertionError("Nothing is streamed here: " + piece);
        }

        @Override
        public void endStream() {
            // Nothing is streamed here.
        }

        @Override
        public void onInterrupt(Runnable action) {
            // Nobody interrupts here.
        }

        @Override
        public boolean isInteractive() {
            return false;
        }

        @Override
        public void close() {
            typed.add(new Typed.End());
        }
    }

    private static ProviderSettings settings(ExecutorService executor) {
        return new ProviderSettings(
                "platforms.local",
                Map.of("name", "alice"),
                Map.of(),
                Path.of("target"),
                () -> Instant.EPOCH,
                unneeded(Ids.class),
                unneeded(Timers.class),
                executor,
                warning -> {
                    throw new AssertionError(warning);
                },
                unneeded(GatewayInspection.class));
    }

    private static <T> T unneeded(Class<T> type) {
        return type.cast(
                Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, given) -> {
                    throw new AssertionError("not asked for here: " + method);
                }));
    }
}
