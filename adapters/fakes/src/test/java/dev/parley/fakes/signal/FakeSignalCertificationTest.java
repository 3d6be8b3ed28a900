package dev.parley.fakes.signal;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.Socket;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/**
 * The fake beside the daemon of signal-cli 0.13.19: what a client sends and what it is answered, byte for byte where that counts. No
 * account can be had for tests, so the flow of messages follows the schema that signal-cli documents and is compared with nothing.
 */
class FakeSignalCertificationTest {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final String ACCOUNT = "+15550100";
    private static final String REAL = "TEST_SIGNAL_CLI";
    private static final String MISSING =
            "no signal-cli: .ci/signal-cli starts one and names its address in TEST_SIGNAL_CLI";

    /** What is asked, and what signal-cli answers: its status and its body. */
    private static final List<List<String>> ASKED = List.of(
            List.of(
                    "{'jsonrpc':'2.0','method':'version','id':1}",
                    "200",
                    "{'jsonrpc':'2.0','result':{'version':'0.13.19'},'id':1}"),
            List.of(
                    "{'jsonrpc':'2.0','method':'nonsense','id':'a'}",
                    "200",
                    "{'jsonrpc':'2.0','error':{'code':-32601,'message':'Method not implemented','data':null},'id':'a'}"),
            List.of(
                    "{'jsonrpc':'2.0','method':'subscribeReceive','params':{},'id':'s'}",
                    "200",
                    "{'jsonrpc':'2.0','error':{'code':-32601,'message':'Method not implemented','data':null},'id':'s'}"),
            List.of(
                    "{'jsonrpc':'2.0','method':'send','params':{'account':'+15550199','recipient':['+15550101'],'message':'x'},'id':2}",
                    "200",
                    "{'jsonrpc':'2.0','error':{'code':-32602,'message':'Specified account does not exist','data':null},'id':2}"),
            List.of(
                    "{'jsonrpc':'2.0','method':'send','params':{'recipient':['+15550101'],'message':'x'},'id':2}",
                    "200",
                    "{'jsonrpc':'2.0','error':{'code':-32602,'message':'Method requires valid account parameter','data':null},'id':2}"),
            List.of(
                    "{'jsonrpc':'2.0','method':'getAttachment','params':{'account':'+15550199','id':'x'},'id':2}",
                    "200",
                    "{'jsonrpc':'2.0','error':{'code':-32602,'message':'Specified account does not exist','data':null},'id':2}"),
            List.of(
                    "{'jsonrpc':'2.0','method':'sendTyping','params':{'account':'+15550199','recipient':['+15550101']},'id':2}",
                    "200",
                    "{'jsonrpc':'2.0','error':{'code':-32602,'message':'Specified account does not exist','data':null},'id':2}"),
            List.of(
                    "{'jsonrpc':'1.0','method':'version','id':1}",
                    "200",
                    "{'jsonrpc':'2.0','error':{'code':-32600,'message':'only jsonrpc version 2.0 is supported','data':null},'id':1}"),
            List.of(
                    "{'jsonrpc':'2.0','id':4}",
                    "200",
                    "{'jsonrpc':'2.0','error':{'code':-32600,'message':'method field must be set','data':null},'id':4}"),
            List.of(
                    "[]",
                    "200",
                    "{'jsonrpc':'2.0','error':{'code':-32600,'message':'invalid request','data':null},'id':null}"),
            List.of(
                    "\"x\"",
                    "200",
                    "{'jsonrpc':'2.0','error':{'code':-32600,'message':'unexpected type: STRING','data':null},'id':null}"),
            List.of(
                    "[{'jsonrpc':'2.0','method':'version','id':1},{'jsonrpc':'2.0','method':'nonsense','id':2}]",
                    "200",
                    "[{'jsonrpc':'2.0','result':{'version':'0.13.19'},'id':1},{'jsonrpc':'2.0','error':{'code':-32601,"
                            + "'message':'Method not implemented','data':null},'id':2}]"),
            List.of("{'jsonrpc':'2.0','method':'version'}", "201", ""));

    private final FakeSignal fake = new FakeSignal(ACCOUNT, InstantSource.system(), Duration.ofMillis(50));

    @AfterEach
    void close() {
        fake.close();
    }

    @Test
    void theFakeAnswersAsWritten() throws Exception {
        assertAnswers(fake.address());
    }

    @Test
    @EnabledIfEnvironmentVariable(named = REAL, matches = "http://.+", disabledReason = MISSING)
    void answersOfTheRealDaemonAreTheSame() throws Exception {
        assertAnswers(real());
    }

    private void assertAnswers(URI daemon) throws Exception {
        for (List<String> each : ASKED) {
            Answer answer = post(daemon, each.get(0).replace('\'', '"'));
            assertThat(answer.statusCode()).as(each.get(0)).hasToString(each.get(1));
            if (each.get(2).isEmpty()) {
                assertThat(answer.body()).isEmpty();
            } else {
                assertThat(JSON.readTree(answer.body()))
                        .as(each.get(0))
                        .isEqualTo(JSON.readTree(each.get(2).replace('\'', '"')));
            }
        }
        assertThat(JSON.readTree(post(daemon, "{nonsense").body())
                        .path("error")
                        .path("code")
                        .asInt())
                .isEqualTo(-32700);
        assertThat(get(daemon, "/api/v1/check")).isEqualTo(200);
        assertThat(get(daemon, "/api/v1/rpc")).isEqualTo(405);
        assertThat(get(daemon, "/nothing")).isEqualTo(404);
        assertThat(get(daemon, "/api/v1/events?account=" + URLEncoder.encode("+15550199", StandardCharsets.UTF_8)))
                .isEqualTo(400);
    }

    @Test
    void accountsAreListedByTheirNumbers() throws Exception {
        String asked = "{\"jsonrpc\":\"2.0\",\"method\":\"listAccounts\",\"id\":1}";

        assertThat(JSON.readTree(post(fake.address(), asked).body()).path("result"))
                .isEqualTo(JSON.readTree("[{\"number\":\"+15550100\"}]"));
        fake.serveOneAccount();
        assertThat(JSON.readTree(post(fake.address(), asked).body())
                        .path("error")
                        .path("code")
                        .asInt())
                .isEqualTo(-32601);
    }

    @Test
    @EnabledIfEnvironmentVariable(named = REAL, matches = "http://.+", disabledReason = MISSING)
    void accountsOfTheRealDaemonAreAListToo() throws Exception {
        String asked = "{\"jsonrpc\":\"2.0\",\"method\":\"listAccounts\",\"id\":1}";

        assertThat(JSON.readTree(post(real(), asked).body()).path("result").isArray())
                .isTrue();
    }

    @Test
    void theFakesStreamsBeginWithTheFirstLine() throws Exception {
        assertThat(firstLines(fake.address())).startsWith("HTTP/1.1 200 OK\r\n").endsWith("\r\n\r\n2\r\n:\n\r\n");
    }

    @Test
    @EnabledIfEnvironmentVariable(named = REAL, matches = "http://.+", disabledReason = MISSING)
    void streamsOfTheRealDaemonBeginSoToo() throws Exception {
        assertThat(firstLines(real())).startsWith("HTTP/1.1 200 OK\r\n").endsWith("\r\n\r\n2\r\n:\n\r\n");
    }

    /** Returns what comes first on a stream of events, up to the first sign of life. */
    private static String firstLines(URI daemon) throws IOException {
        try (Socket socket = new Socket(daemon.getHost(), daemon.getPort())) {
            socket.setSoTimeout(60_000);
            socket.getOutputStream()
                    .write("GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n"
                            .getBytes(StandardCharsets.US_ASCII));
            InputStream in = socket.getInputStream();
            StringBuilder lines = new StringBuilder();
            while (!lines.toString().endsWith(":\n\r\n")) {
                int each = in.read();
                if (each < 0) {
                    break;
                }
                lines.append((char) each);
            }
            assertThat(lines.toString().toLowerCase(java.util.Locale.ROOT))
                    .contains("content-type: text/event-stream\r\n", "transfer-encoding: chunked\r\n");
            return lines.toString();
        }
    }

    @Test
    void anEventIsNamedAndEndsWithAnEmptyLine() throws Exception {
        fake.person("+15550101", "6a5b8ed8-8f21-4b4a-9a3f-000000000001", "Ada");
        fake.write("+15550101", "hello");
        List<String> lines = new ArrayList<>();
        try (InputStream in =
                open(fake.address(), "/api/v1/events?account=%2B15550100").getInputStream()) {
            StringBuilder line = new StringBuilder();
            while (lines.size() < 3) {
                int each = in.read();
                if (each == '\n') {
                    lines.add(line.toString());
                    line.setLength(0);
                } else {
                    line.append((char) each);
                }
            }
        }

        assertThat(lines.get(0)).isEqualTo("event:receive");
        assertThat(lines.get(1)).startsWith("data:{\"envelope\":{\"source\":\"+15550101\"");
        assertThat(lines.get(2)).isEmpty();
        assertThat(JSON.readTree(lines.get(1).substring(5)).path("account").asText())
                .isEqualTo(ACCOUNT);
    }

    private static URI real() {
        return URI.create(System.getenv(REAL));
    }

    /** What came back: its status, and its body. */
    private record Answer(int statusCode, String body) {}

    private static Answer post(URI daemon, String body) throws IOException {
        HttpURLConnection connection = open(daemon, "/api/v1/rpc");
        connection.setRequestMethod("POST");
        connection.setDoOutput(true);
        connection.setRequestProperty("Content-Type", "application/json");
        connection.getOutputStream().write(body.getBytes(StandardCharsets.UTF_8));
        int status = connection.getResponseCode();
        try (InputStream in = connection.getInputStream()) {
            return new Answer(status, new String(in.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    private static int get(URI daemon, String path) throws IOException {
        return open(daemon, path).getResponseCode();
    }

    private static HttpURLConnection open(URI daemon, String path) throws IOException {
        HttpURLConnection connection =
                (HttpURLConnection) daemon.resolve(path).toURL().openConnection();
        connection.setReadTimeout(60_000);
        return connection;
    }
}
