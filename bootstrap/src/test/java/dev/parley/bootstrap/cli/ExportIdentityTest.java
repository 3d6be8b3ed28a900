package dev.parley.bootstrap.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.bootstrap.cli.CommandLineProgram.Result;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Export and import over generated sessions (storage 6): what went out and in again is what it was. */
class ExportIdentityTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final List<String> TEXTS = List.of(
            "",
            " ",
            "hello",
            "a\"b\\c",
            "line\nbreak\r\n",
            "tab\t",
            "nul\u0000inside",
            "截图 通信",
            "\ud83d\ude80",
            "\u2028\u2029",
            "\ufeffbom",
            "<memory-context>x</memory-context>",
            "%_*'",
            "x".repeat(5000));
    private static final List<String> RAW = List.of("", "[]", "{}", "null", "{oops", "[1.10,{\"a\":\"大\"}]");

    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    @DisplayName("An export of what was imported holds the same values, and importing that gives the same bytes")
    void exportThenImportIsTheIdentity(long seed) throws Exception {
        List<ObjectNode> generated = new Sessions(seed).all();
        CommandLineProgram first = home("first");

        imported(first, lines(generated));
        Result exported = first.run("sessions", "export");

        assertThat(sorted(parsed(exported))).isEqualTo(sorted(generated));
        CommandLineProgram second = home("second");
        imported(second, exported.out());
        assertThat(second.run("sessions", "export").out()).isEqualTo(exported.out());
    }

    @ParameterizedTest
    @ValueSource(strings = {"sqlite:state.db", "jsonl:conversations"})
    @DisplayName("Messages keep their numbers in an empty home, whatever its storage")
    void messagesKeepTheirNumbersInAnEmptyHome(String storage) throws Exception {
        CommandLineProgram program = home("numbered");
        Files.writeString(program.home().resolve("parley.yaml"), "storage: {url: \"" + storage + "\"}");
        String two = """
                {"id":"s1","source":"cli","started_at":1767258000.0,"messages":[{"id":5,"session_id":"s1","role":"user","content":"one","timestamp":1767258001.0}]}
                {"id":"s2","source":"cli","started_at":1767261600.0,"messages":[{"id":9,"session_id":"s2","role":"user","content":"two","timestamp":1767261601.0}]}
                """;

        imported(program, two);
        imported(program, two.replace("s1", "s3").replace("s2", "s4").replace("\"id\":9", "\"id\":12"));

        List<Long> numbers = new ArrayList<>();
        for (JsonNode session : parsed(program.run("sessions", "export"))) {
            session.path("messages")
                    .forEach(message -> numbers.add(message.path("id").longValue()));
        }
        assertThat(numbers).containsExactlyInAnyOrder(5L, 9L, 10L, 12L);
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    @DisplayName("An export that did not arrive is not said to be one")
    void anExportToAFullDeviceExportsNothing() throws Exception {
        CommandLineProgram first = home("first");
        imported(first, lines(new Sessions(1).all()));

        Result exported = first.run("sessions", "export", "-o", "/dev/full");

        assertThat(exported.code()).isEqualTo(3);
        assertThat(exported.err()).contains("/dev/full cannot be written").doesNotContain("exported");
    }

    @Test
    @DisplayName("A reference database survives the journey, malformed calls and all")
    void theReferenceDatabaseSurvives() throws Exception {
        Path fixture = CommandLineProgram.fixture("state-v11.db", directory);
        Result exported = home("any").run("sessions", "export", "--db", fixture.toString());
        CommandLineProgram second = home("second");

        imported(second, exported.out());

        assertThat(second.run("sessions", "export").out()).isEqualTo(exported.out());
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    @DisplayName("A damaged export is taken whole or refused in plain lines, and then nothing is imported")
    void aDamagedExportIsTakenOrRefused(long seed) throws Exception {
        Random random = new Random(seed);
        byte[] whole = lines(new Sessions(seed).all()).getBytes(StandardCharsets.UTF_8);
        Path archive = directory.resolve("damaged.jsonl");
        for (int i = 0; i < 12; i++) {
            Files.write(archive, damaged(whole, random));
            CommandLineProgram program = home("home-" + seed + "-" + i);

            Result result = program.run("sessions", "import", archive.toString());

            assertThat(result.code()).as(result.err()).isIn(0, 2);
            assertThat(result.err()).doesNotContain("Exception", "\tat ");
            if (result.code() != 0) {
                assertThat(program.run("sessions", "export").out()).isEmpty();
            }
        }
    }

    private static byte[] damaged(byte[] whole, Random random) {
        byte[] bytes = random.nextInt(4) == 0 ? Arrays.copyOf(whole, random.nextInt(whole.length)) : whole.clone();
        byte[] likely = "\"{}[]:,\\0e-\n\u0000truenull".getBytes(StandardCharsets.UTF_8);
        for (int n = random.nextInt(4); n > 0 && bytes.length > 0; n--) {
            bytes[random.nextInt(bytes.length)] =
                    random.nextBoolean() ? likely[random.nextInt(likely.length)] : (byte) random.nextInt(256);
        }
        return bytes;
    }

    private CommandLineProgram home(String name) throws Exception {
        return new CommandLineProgram(Files.createDirectory(directory.resolve(name)));
    }

    private static void imported(CommandLineProgram program, String lines) {
        Result result = program.runWith(lines, "sessions", "import", "-");
        assertThat(result.err()).isEmpty();
        assertThat(result.code()).isZero();
    }

    private static String lines(List<ObjectNode> sessions) {
        StringBuilder text = new StringBuilder();
        sessions.forEach(session -> text.append(session).append('\n'));
        return text.toString();
    }

    private static List<JsonNode> parsed(Result exported) throws Exception {
        List<JsonNode> sessions = new ArrayList<>();
        for (String line : exported.out().lines().toList()) {
            ObjectNode session = (ObjectNode) JSON.readTree(line);
            session.remove("last_active");
            sessions.add(session);
        }
        return sessions;
    }

    private static List<String> sorted(List<? extends JsonNode> sessions) {
        return sessions.stream()
                .sorted(Comparator.comparing(session -> session.path("id").textValue()))
                .map(Object::toString)
                .toList();
    }

    /** Generates sessions in the shape of an export. */
    private static final class Sessions {
        private final Random random;
        private long message;

        Sessions(long seed) {
            random = new Random(seed);
        }

        List<ObjectNode> all() {
            List<ObjectNode> sessions = new ArrayList<>();
            int count = 1 + random.nextInt(12);
            for (int i = 0; i < count; i++) {
                sessions.add(session(i));
            }
            List<ArrayNode> transcripts =
                    sessions.stream().map(s -> s.putArray("messages")).toList();
            for (int i = random.nextInt(60); i > 0; i--) {
                int owner = random.nextInt(count);
                transcripts.get(owner).add(message("s" + owner));
            }
            return sessions;
        }

        private ObjectNode session(int i) {
            ObjectNode session = JSON.createObjectNode();
            session.put("id", "s" + i);
            session.put("source", one(List.of("cli", "telegram", "日本")));
            text(session, "user_id");
            text(session, "model");
            raw(session, "model_config");
            text(session, "system_prompt");
            session.put("parent_session_id", i > 0 && random.nextBoolean() ? "s" + random.nextInt(i) : null);
            session.put("started_at", time());
            boolean ended = random.nextBoolean();
            session.put("ended_at", ended ? (Double) time() : null);
            session.put("end_reason", random.nextBoolean() ? "compression" : null);
            List.of(
                            "message_count",
                            "tool_call_count",
                            "input_tokens",
                            "output_tokens",
                            "cache_read_tokens",
                            "cache_write_tokens",
                            "reasoning_tokens")
                    .forEach(counter -> session.put(counter, random.nextInt(100)));
            text(session, "billing_provider");
            text(session, "billing_base_url");
            text(session, "billing_mode");
            session.put("estimated_cost_usd", random.nextBoolean() ? (Double) random.nextDouble() : null);
            session.put("actual_cost_usd", random.nextBoolean() ? (Double) random.nextDouble() : null);
            text(session, "cost_status");
            text(session, "cost_source");
            text(session, "pricing_version");
            session.put("title", random.nextBoolean() ? "Title " + (i % 3) + " #" + i : null);
            session.put("api_call_count", random.nextInt(9));
            return session;
        }

        private ObjectNode message(String session) {
            ObjectNode row = JSON.createObjectNode();
            message += 1 + random.nextInt(3);
            row.put("id", message);
            row.put("session_id", session);
            row.put("role", one(List.of("user", "assistant", "tool", "system", "odd")));
            switch (random.nextInt(4)) {
                case 0 -> row.putNull("content");
                case 1 -> row.set("content", parts());
                default -> row.put("content", one(TEXTS));
            }
            text(row, "tool_call_id");
            switch (random.nextInt(4)) {
                case 0 -> row.putArray("tool_calls");
                case 1 -> row.set("tool_calls", calls());
                default -> row.putNull("tool_calls");
            }
            text(row, "tool_name");
            row.put("timestamp", time());
            row.put("token_count", random.nextBoolean() ? (Integer) random.nextInt(1000) : null);
            text(row, "finish_reason");
            text(row, "reasoning");
            text(row, "reasoning_content");
            raw(row, "reasoning_details");
            raw(row, "codex_reasoning_items");
            raw(row, "codex_message_items");
            return row;
        }

        private JsonNode parts() {
            ArrayNode parts = JSON.createArrayNode();
            for (int i = random.nextInt(3); i > 0; i--) {
                parts.addObject().put("type", "text").put("text", one(TEXTS));
            }
            return random.nextInt(5) == 0 ? JSON.createObjectNode().put("a", 1) : parts;
        }

        private JsonNode calls() {
            ArrayNode calls = JSON.createArrayNode();
            ObjectNode call = calls.addObject().put("id", one(TEXTS)).put("type", "function");
            call.putObject("function").put("name", "f").put("arguments", one(TEXTS));
            return random.nextInt(4) == 0 ? JSON.createObjectNode() : calls;
        }

        private double time() {
            return 1.7e9 + random.nextInt(1000) + (random.nextBoolean() ? 0.25 : random.nextDouble());
        }

        private void text(ObjectNode node, String name) {
            set(node, name, TEXTS);
        }

        private void raw(ObjectNode node, String name) {
            set(node, name, RAW);
        }

        private void set(ObjectNode node, String name, List<String> values) {
            node.put(name, random.nextBoolean() ? one(values) : null);
        }

        private <T> T one(List<T> values) {
            return values.get(random.nextInt(values.size()));
        }
    }
}
