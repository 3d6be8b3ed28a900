package dev.parley.bootstrap.chaos;

import dev.parley.bootstrap.process.ParleyProcess;
import dev.parley.bootstrap.process.Signals;
import dev.parley.fakes.network.Fault;
import dev.parley.fakes.network.FaultyProxy;
import dev.parley.fakes.surroundings.Caller;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A machine of a node: a home, a way of its own to the database, and one process after the other, each under a name of its own. */
final class ChaosNode implements AutoCloseable {
    /** How long people wait for a node before they ask another one. */
    private static final Duration PATIENCE = Duration.ofMillis(1500);

    private final String name;
    private final Path home;
    private final Path log;
    private final List<String> flags;
    private final Settings settings;
    private final FaultyProxy way;
    private int starts;
    private Optional<ParleyProcess> process = Optional.empty();
    private Optional<Caller> caller = Optional.empty();

    /** Writes the configuration of a node: its name, and the port by which it reaches the database. */
    @FunctionalInterface
    interface Settings {
        String of(String node, int port);
    }

    ChaosNode(String name, Path directory, int database, List<String> flags, Settings settings) throws IOException {
        this.name = name;
        this.home = Files.createDirectories(directory.resolve(name));
        this.log = directory.resolve(name + ".log");
        this.flags = flags;
        this.settings = settings;
        this.way = new FaultyProxy("127.0.0.1", database, number -> new Fault.None());
    }

    /** Returns the name of the process. */
    String name() {
        return name + "-" + starts;
    }

    /** Returns its way to the database. */
    FaultyProxy way() {
        return way;
    }

    /** Starts a process; returns at once. */
    void launch() throws IOException {
        starts++;
        Files.writeString(home.resolve("parley.yaml"), settings.of(name(), way.port()));
        process = Optional.of(ParleyProcess.gateway(flags, home, Map.of("PARLEY_LOG", "INFO")));
    }

    /** Waits until it may be talked to. */
    void ready() throws Exception {
        caller = Optional.of(new Caller(running().ready(), home, PATIENCE));
    }

    /** Returns how it is talked to; also while it cannot be reached. */
    Optional<Caller> caller() {
        return caller;
    }

    ParleyProcess running() {
        return process.orElseThrow();
    }

    /** SIGSTOP. */
    void pause() {
        Signals.send("STOP", running().pid());
    }

    /** SIGCONT. */
    void goOn() {
        Signals.send("CONT", running().pid());
    }

    /** SIGKILL. */
    void kill() throws Exception {
        running().kill();
        ended();
    }

    /** Waits until it has ended, as it was asked to. */
    void hasEnded() throws Exception {
        int code = running().exit();
        ended();
        if (code != 0) {
            throw new AssertionError("Asked to stop, " + name() + " ended with " + code + "; see " + log);
        }
    }

    private void ended() throws IOException {
        Files.writeString(
                log,
                running().errors() + "---- end of " + name() + "\n",
                StandardOpenOption.CREATE,
                StandardOpenOption.APPEND);
        running().close();
        process = Optional.empty();
    }

    @Override
    public void close() throws IOException {
        if (process.isPresent()) {
            goOn();
            ended();
        }
        way.close();
    }
}
