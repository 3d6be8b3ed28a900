package dev.parley.bootstrap.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.port.TurnQueue;
import dev.parley.application.spi.ComposedStorage;
import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageParts;
import dev.parley.application.spi.StorageSettings;
import dev.parley.application.spi.WebRequest;
import dev.parley.application.spi.WebResponse;
import dev.parley.application.spi.WebRole;
import dev.parley.bootstrap.cli.CommandLineProgram.Result;
import dev.parley.home.GatewayLock;
import dev.parley.home.HomeDirectory;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands on a store that the gateway has to itself: they are run there, and print what they print without a gateway. */
class LookSurfaceTest {
    @TempDir
    Path directory;

    private String health = "{\"status\":\"ok\"}";
    private boolean turnsAreShown = true;
    private HomeDirectory home;
    private CommandLineProgram program;

    @BeforeEach
    void aHomeWithTwoSessions() throws Exception {
        home = new HomeDirectory(directory.resolve("home"));
        home.create();
        program = new CommandLineProgram(home.path());
        Path sessions = Files.writeString(directory.resolve("sessions.jsonl"), """
                {"id":"s1","source":"cli","started_at":1741600000.0,"messages":[{"role":"user","content":"zanzibar","timestamp":1741600001.0}]}
                {"id":"s2","source":"slack","started_at":1741600100.0,"messages":[]}
                """);
        Result imported = program.run("sessions", "import", sessions.toString());
        assertThat(imported.code()).as(imported.errors().toString()).isZero();
        Files.writeString(home.path().resolve("http-token"), "the-token\n");
    }

    private static String[] words(String command) {
        return command.split(" ", -1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "sessions list",
                "sessions list --json --source slack",
                "sessions show s1",
                "sessions show nobody",
                "sessions search zanzibar",
                "sessions search zanzibar --json",
                "sessions stats",
                "sessions list --sort sideways",
                "lanes list",
                "lanes show agent:main:telegram:dm:1",
                "deliveries list --json"
            })
    void aCommandSaysWhatItSaysWithoutAGateway(String command) throws Exception {
        Result alone = program.run(words(command));

        Result asked = whileAGatewayHasTheStore(command);

        assertThat(asked).isEqualTo(alone);
    }

    @Test
    void theStatusOfTheStorageIsThatOfTheOneWhoHasIt() throws Exception {
        assertThat(whileAGatewayHasTheStore("storage status").out()).contains("state.db");
    }

    @Test
    void aCommandThatDoesMoreThanLookIsRefusedInOneLine() throws Exception {
        Result checked = whileAGatewayHasTheStore("storage check");

        assertThat(checked.code()).isEqualTo(3);
        assertThat(checked.errors()).singleElement().asString().contains("uses this home");
        assertThat(surface(open()).answer(request(List.of("sessions", "delete", "s1", "--yes"))))
                .isInstanceOfSatisfying(
                        WebResponse.Whole.class,
                        answer -> assertThat(answer.body()).contains("is not run by a gateway"));
        assertThat(program.run("sessions", "show", "s1").code()).isZero();
    }

    @Test
    void aDegradedGatewayMeansThatTheStoreIsWrongAndNotThatItIsInUse() throws Exception {
        health =
                "{\"status\":\"degraded\",\"degraded_since\":\"2026-03-10T03:00:00Z\",\"degraded_because\":\"it is gone\"}";

        Result asked = whileAGatewayHasTheStore("doctor");

        assertThat(asked.out())
                .containsPattern("storage +wrong +The database .* does not exist")
                .contains("it is degraded since 2026-03-10T03:00:00Z: it is gone")
                .doesNotContain("cannot be looked into meanwhile");
        assertThat(asked.code()).isEqualTo(1);
    }

    @Test
    void theDoctorSaysThatNewTurnsAreHeldAndHowTheyBegin() throws Exception {
        health = "{\"status\":\"ok\",\"held\":\"new turns wait until an operator releases them\"}";

        assertThat(whileAGatewayHasTheStore("doctor").out())
                .containsPattern(
                        "gateway +note +new turns wait until an operator releases them: delete .*drain_request.json");
    }

    @Test
    void theDoctorSaysThatNoTaskGetsOn() throws Exception {
        health =
                "{\"status\":\"starved\",\"starved_since\":\"2026-03-10T03:00:00Z\",\"starved_because\":\"all threads block\"}";

        assertThat(whileAGatewayHasTheStore("doctor").out())
                .containsPattern("gateway +wrong +its tasks wait since 2026-03-10T03:00:00Z: all threads block");
    }

    @Test
    void aLaneWhoseFirstMessageWaitsIsShownWithIt() throws Exception {
        Path scenario = Files.writeString(directory.resolve("scenario.jsonl"), """
                {"do":"hold"}
                {"at":"2026-03-10T09:00:00","from":{"platform":"telegram","chat_id":"7"},"text":"hello","message_id":"1"}
                """);
        assertThat(program.run("replay", "--home", home.path().toString(), scenario.toString())
                        .code())
                .isZero();

        Result shown = program.run("lanes", "show", "agent:main:telegram:dm:7");

        assertThat(shown.code()).isZero();
        assertThat(shown.out()).containsPattern("waiting +1").contains("hello");
        assertThat(program.run("lanes", "show", "--json", "agent:main:telegram:dm:7")
                        .out())
                .contains("\"session_key\" : \"agent:main:telegram:dm:7\"", "\"waiting\" : 1");
        assertThat(program.run("lanes", "show", "agent:main:telegram:dm:8").code())
                .isEqualTo(1);
    }

    @Test
    void aLaneIsShownAsFarAsItIsKnownWhileStorageIsDegraded() throws Exception {
        Path scenario = Files.writeString(directory.resolve("scenario.jsonl"), """
                {"at":"2026-03-10T09:00:00","from":{"platform":"telegram","chat_id":"1"},"text":"hello","message_id":"1"}
                """);
        assertThat(program.run("replay", "--home", home.path().toString(), scenario.toString())
                        .code())
                .isZero();
        turnsAreShown = false;

        Result asked = whileAGatewayHasTheStore("lanes show agent:main:telegram:dm:1");

        assertThat(asked.out()).contains("session_key", "agent:main:telegram:dm:1", "waiting");
        assertThat(asked.code()).isEqualTo(3);
        assertThat(asked.errors())
                .containsExactly("parley: The list of turns cannot be shown while storage is degraded.");
    }

    @Test
    void whereTheGatewayCannotBeAskedTheCommandSaysWhoHasTheStore() throws Exception {
        moved("state.db", "taken.db");
        try (GatewayLock held = GatewayLock.take(home)) {
            assertThat(held).isNotNull();
            Result listed = program.run("sessions", "list");

            assertThat(listed.code()).isEqualTo(3);
            assertThat(listed.errors()).singleElement().asString().contains("uses this home");
        }
    }

    /** Takes the database out of reach, as one is that its gateway has to itself. */
    private void moved(String from, String to) throws IOException {
        Files.move(home.path().resolve(from), home.path().resolve(to));
    }

    private Storage open() {
        return workplace().open(Optional.empty(), StorageSettings.Mode.READ_ONLY);
    }

    private Workplace workplace() {
        PrintStream none = new PrintStream(java.io.OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8);
        return new Workplace(
                new Surroundings(
                        Map.of(),
                        directory,
                        new ByteArrayInputStream(new byte[0]),
                        none,
                        none,
                        () -> Instant.ofEpochSecond(1_772_000_000L),
                        ZoneOffset.UTC,
                        false),
                Optional.of(home.path()),
                Optional.empty());
    }

    /** A store as a degraded one is: what lanes did cannot be shown. */
    private static Storage withoutTurns(Storage whole) {
        TurnQueue queue = (TurnQueue) Proxy.newProxyInstance(
                TurnQueue.class.getClassLoader(), new Class<?>[] {TurnQueue.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("turns")) {
                        throw new StorageUnavailable(
                                "The list of turns cannot be shown while storage is degraded.", null);
                    }
                    return method.invoke(whole.queue(), arguments);
                });
        StorageParts of = StorageParts.of(whole);
        return new Degraded(
                new StorageParts(
                        of.ledger(),
                        of.lanes(),
                        of.sessions(),
                        of.transcripts(),
                        of.search(),
                        queue,
                        of.meta(),
                        of.maintenance()),
                whole);
    }

    private record Degraded(StorageParts parts, Storage whole) implements ComposedStorage {
        @Override
        public String location() {
            return whole.location();
        }

        @Override
        public void close() {
            whole.close();
        }
    }

    private LookSurface surface(Storage storage) {
        return new LookSurface(workplace(), CompletableFuture.completedFuture(storage));
    }

    private static WebRequest request(List<String> arguments) {
        return new WebRequest(
                "GET",
                LookSurface.PATH,
                Map.of(LookSurface.ARGUMENT, arguments),
                Map.of(),
                Map.of(),
                new WebRequest.Caller(WebRole.OPERATOR, "token", Optional.empty(), "127.0.0.1"));
    }

    /** Runs a command beside a server that answers as the gateway's does. */
    private Result whileAGatewayHasTheStore(String command) throws Exception {
        ServerSocket listening = new ServerSocket(0, 16, InetAddress.getLoopbackAddress());
        try (Storage storage = turnsAreShown ? open() : withoutTurns(open());
                GatewayLock held = GatewayLock.take(home)) {
            assertThat(held).isNotNull();
            Files.writeString(home.path().resolve("http-address"), "http://127.0.0.1:" + listening.getLocalPort());
            moved("state.db", "taken.db");
            LookSurface surface = surface(storage);
            CompletableFuture<Void> served = CompletableFuture.runAsync(() -> serve(listening, surface));
            Result result = program.run(words(command));
            listening.close();
            served.join();
            return result;
        } finally {
            listening.close();
            moved("taken.db", "state.db");
        }
    }

    private void serve(ServerSocket listening, LookSurface surface) {
        while (!listening.isClosed()) {
            try {
                Socket client = listening.accept();
                new Thread(() -> answer(client, surface), "answer").start();
            } catch (IOException e) {
                if (!listening.isClosed()) {
                    throw new UncheckedIOException(e);
                }
            }
        }
    }

    private void answer(Socket open, LookSurface surface) {
        try (Socket client = open) {
            BufferedReader in =
                    new BufferedReader(new InputStreamReader(client.getInputStream(), StandardCharsets.UTF_8));
            String first = in.readLine();
            for (String line = first; line != null && !line.isEmpty(); ) {
                line = in.readLine();
            }
            String body = health;
            if (first != null && first.contains(LookSurface.PATH)) {
                body = ((WebResponse.Whole) surface.answer(request(arguments(first)))).body();
            }
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            client.getOutputStream()
                    .write(("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: " + bytes.length + "\r\n\r\n")
                            .getBytes(StandardCharsets.UTF_8));
            client.getOutputStream().write(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> arguments(String requestLine) {
        List<String> arguments = new ArrayList<>();
        String query = requestLine.split(" ", -1)[1].split("\\?", -1)[1];
        for (String pair : query.split("&", -1)) {
            arguments.add(URLDecoder.decode(pair.split("=", -1)[1], StandardCharsets.UTF_8));
        }
        return arguments;
    }
}
