package dev.parley.bootstrap;

import com.google.common.util.concurrent.Uninterruptibles;
import dev.parley.bootstrap.cli.ParleyCommand;
import dev.parley.bootstrap.cli.Surroundings;
import java.io.ByteArrayInputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;

/**
 * Does in one process what most starts of the program do, so that the runtime can archive the classes that they load; the launcher
 * starts it once for each kind of command. Says nothing, and changes nothing but its home.
 */
public final class Training {
    private static final String GATEWAY = "gateway";
    private static final String HELLO = "hello\n";
    /** What the short commands find in the home. */
    private static final String SESSION = """
            {"id":"training","source":"local","started_at":1.0,"messages":[{"role":"user","content":"hello","timestamp":1.0}]}
            """;

    private static final List<List<String>> SHORT = List.of(
            List.of("--version"),
            List.of("sessions", "import", "-"),
            List.of("lanes", "list"),
            List.of("sessions", "list"),
            List.of("sessions", "search", "hello"),
            List.of("storage", "status"),
            List.of("config", "check"),
            List.of("doctor"));

    private Training() {}

    /**
     * Runs the commands and exits.
     *
     * @param args {@code gateway} for the gateway and a conversation with it, else the short commands; then the home, which nobody
     *     else uses
     */
    public static void main(String[] args) {
        Path home = Path.of(args[1]);
        if (args[0].equals(GATEWAY)) {
            CountDownLatch listens = new CountDownLatch(1);
            Thread gateway = new Thread(
                    () -> {
                        run(home, "", new FirstByte(listens), List.of(GATEWAY));
                        listens.countDown();
                    },
                    "training");
            gateway.start();
            Uninterruptibles.awaitUninterruptibly(listens);
            run(home, HELLO, OutputStream.nullOutputStream(), List.of("chat", "--as", "training"));
        } else {
            SHORT.forEach(command -> run(home, SESSION, OutputStream.nullOutputStream(), command));
        }
        System.exit(0);
    }

    private static void run(Path home, String in, OutputStream out, List<String> command) {
        Surroundings around = new Surroundings(
                Map.of("PARLEY_PLATFORMS_HTTP_PORT", "0", "PARLEY_LOG", "ERROR"),
                home,
                new ByteArrayInputStream(in.getBytes(StandardCharsets.UTF_8)),
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8),
                InstantSource.system(),
                ZoneId.systemDefault(),
                false);
        ParleyCommand.run(
                around,
                Stream.concat(Stream.of("--home", home.resolve("home").toString()), command.stream())
                        .toArray(String[]::new));
    }

    /** Opens a latch at the first byte: a gateway prints its address once it listens. */
    private static final class FirstByte extends OutputStream {
        private final CountDownLatch written;

        FirstByte(CountDownLatch written) {
            this.written = written;
        }

        @Override
        public void write(int b) {
            written.countDown();
        }
    }
}
