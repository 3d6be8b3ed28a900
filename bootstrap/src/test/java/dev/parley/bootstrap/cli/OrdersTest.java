package dev.parley.bootstrap.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.bootstrap.cli.CommandLineProgram.Result;
import dev.parley.bootstrap.json.Json;
import dev.parley.home.GatewayLock;
import dev.parley.home.HomeDirectory;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What an operator has the running gateway do from the command line. */
class OrdersTest {
    private static final int PATIENCE_MILLIS = 60_000;
    private static final String LANE = "agent:main:local:dm:me";

    @TempDir
    Path directory;

    /** What the gateway was asked, and what became of the command. */
    private record Asked(String request, Result result) {}

    private Asked ask(int status, String answer, String... arguments) throws Exception {
        HomeDirectory home = new HomeDirectory(directory.resolve("home"));
        home.create();
        CommandLineProgram program = new CommandLineProgram(home.path());
        Files.writeString(home.path().resolve("http-token"), "the-token\n");
        GatewayLock held = GatewayLock.take(home);
        try (held;
                ServerSocket listening = new ServerSocket(0, 16, InetAddress.getLoopbackAddress())) {
            listening.setSoTimeout(PATIENCE_MILLIS);
            Path address = Files.writeString(
                    home.path().resolve("http-address"), "http://127.0.0.1:" + listening.getLocalPort() + "\n");
            FileTime taken = Files.getLastModifiedTime(home.path().resolve("gateway.lock"));
            Files.setLastModifiedTime(address, FileTime.from(taken.toInstant().plusSeconds(1)));
            CompletableFuture<Result> result = CompletableFuture.supplyAsync(() -> program.run(arguments));
            try (Socket client = listening.accept()) {
                BufferedReader in =
                        new BufferedReader(new InputStreamReader(client.getInputStream(), StandardCharsets.UTF_8));
                String request = in.readLine();
                for (String line = in.readLine(); line != null && !line.isEmpty(); line = in.readLine()) {
                    assertThat(line).isNotNull();
                }
                client.getOutputStream()
                        .write(("HTTP/1.1 " + status + " x\r\nContent-Length: " + answer.length() + "\r\n\r\n" + answer)
                                .getBytes(StandardCharsets.UTF_8));
                return new Asked(String.valueOf(request), result.join());
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "lanes unsuspend KEY, /v1/lanes/unsuspend?key=KEY, unsuspended",
        "lanes unreset KEY, /v1/lanes/unreset?key=KEY, unreset",
        "lanes interrupt KEY, /v1/lanes/interrupt?key=KEY, interrupted",
        "lanes resume KEY s-1, /v1/lanes/resume?key=KEY&session=s-1, resumed",
        "lanes drop KEY in-1 --yes, /v1/lanes/drop?key=KEY&id=in-1, dropped",
        "deliveries retry o-1, /v1/deliveries/retry?id=o-1, tried",
        "deliveries give-up o-1 --yes, /v1/deliveries/give-up?id=o-1, given_up"
    })
    void anOrderIsDoneByTheGatewayAndSaidInJson(String command, String path, String done) throws Exception {
        String[] arguments = (command + " --json").replace("KEY", LANE).split(" ");

        Asked did = ask(200, "{\"" + done + "\":true}", arguments);

        assertThat(did.request()).isEqualTo("POST " + path.replace("KEY", LANE.replace(":", "%3A")) + " HTTP/1.1");
        assertThat(did.result().code()).isZero();
        assertThat(did.result().errors()).isEmpty();
        assertThat(did.result().out())
                .contains("\"" + done + "\" : true")
                .contains(command.contains("KEY") ? LANE : "o-1");
    }

    @ParameterizedTest
    @CsvSource({
        "lanes unsuspend KEY, the lane is not suspended",
        "lanes unreset KEY, the lane was not reset",
        "lanes interrupt KEY, no turn runs",
        "lanes resume KEY s-1, there is no such session",
        "lanes drop KEY in-1 --yes, this message does not wait",
        "deliveries retry o-1, waits to be delivered",
        "deliveries give-up o-1 --yes, waits to be delivered"
    })
    void whatCouldNotBeDoneIsANoThatSaysWhy(String command, String why) throws Exception {
        Asked nothing =
                ask(404, "{\"error\":\"none\"}", command.replace("KEY", LANE).split(" "));

        assertThat(nothing.result().code()).isEqualTo(1);
        assertThat(nothing.result().out()).isEmpty();
        assertThat(nothing.result().errors()).singleElement().asString().contains("nothing was done", why);
    }

    @Test
    void whatALaneOfAnotherNodeRefusesIsSaidInItsWords() throws Exception {
        Asked refused = ask(
                409,
                "{\"error\":\"The lane is worked on by the node b; ask that one.\"}",
                "lanes",
                "resume",
                LANE,
                "s-1");

        assertThat(refused.result().code()).isEqualTo(2);
        assertThat(refused.result().errors()).singleElement().asString().contains("node b");
    }

    @ParameterizedTest
    @CsvSource({
        "lanes unsuspend KEY, the lane is not suspended",
        "lanes unreset KEY, the lane was not reset",
        "lanes interrupt KEY, no turn runs",
        "lanes resume KEY s-1, there is no such session"
    })
    void withoutAGatewayNothingIsDoneToALaneThatIsNotThere(String command, String why) {
        CommandLineProgram program = new CommandLineProgram(directory.resolve("none"));

        Result result = program.run(command.replace("KEY", LANE).split(" "));

        assertThat(result.code()).isEqualTo(1);
        assertThat(result.errors()).singleElement().asString().contains("nothing was done", why);
    }

    @ParameterizedTest
    @CsvSource({"lanes drop KEY in-1 --yes", "deliveries retry o-1", "deliveries give-up o-1 --yes"})
    void withoutAGatewayOneLineSaysToStartOne(String command) {
        CommandLineProgram program = new CommandLineProgram(directory.resolve("none"));

        Result result = program.run(command.replace("KEY", LANE).split(" "));

        assertThat(result.code()).isEqualTo(2);
        assertThat(result.errors()).singleElement().asString().contains("No gateway runs", "parley gateway");
    }

    @Test
    void withoutAGatewayASuspensionAndAResetAreTakenBackInTheStore() throws Exception {
        CommandLineProgram program = new CommandLineProgram(Files.createDirectory(directory.resolve("home")));
        program.run("replay", "../docs/examples/scenarios/queue/interrupt.jsonl");
        String lane = Json.parse(program.run("lanes", "list", "--json").out())
                .get(0)
                .get("session_key")
                .textValue();
        String session = session(program, lane);

        assertThat(program.run("lanes", "suspend", lane).code()).isZero();
        assertThat(program.run("lanes", "unsuspend", lane).code()).isZero();
        assertThat(Json.parse(program.run("lanes", "show", lane, "--json").out())
                        .get("suspended")
                        .booleanValue())
                .isFalse();
        assertThat(program.run("lanes", "reset", lane, "--yes").code()).isZero();
        assertThat(session(program, lane)).isNotEqualTo(session);
        assertThat(program.run("lanes", "unreset", lane, "--json").out()).contains("\"unreset\" : true");
        assertThat(session(program, lane)).isEqualTo(session);
        assertThat(program.run("lanes", "why", lane).out()).contains("a reset was taken back by the operator");
        assertThat(program.run("lanes", "unreset", lane).code()).isEqualTo(1);
        assertThat(program.run("lanes", "interrupt", lane).code()).isEqualTo(1);
    }

    private static String session(CommandLineProgram program, String lane) throws Exception {
        return Json.parse(program.run("lanes", "show", lane, "--json").out())
                .get("session_id")
                .textValue();
    }

    @ParameterizedTest
    @CsvSource({"lanes drop KEY in-1", "deliveries give-up o-1"})
    void whatCannotBeTakenBackIsAskedBeforeOnATerminal(String command) {
        CommandLineProgram program = new CommandLineProgram(directory.resolve("none"));

        Result result = program.onTerminal("n\n", command.replace("KEY", LANE).split(" "));

        assertThat(result.code()).isEqualTo(1);
        assertThat(result.err()).contains("It cannot be taken back.", "[y/N]").doesNotContain("No gateway runs");
    }
}
