package dev.parley.adapter.acp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.adapter.kit.json.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/**
 * A program that speaks the Agent Client Protocol and does what the file that it is given says at each prompt. What it was asked, and which
 * texts it was given, stands in the file's neighbour {@code heard}.
 */
final class ScriptedProgram {
    private static final PrintStream OUT = new PrintStream(System.out, true, StandardCharsets.UTF_8);

    private final Path script;
    private final BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    private int sessions;
    private int asked;

    private ScriptedProgram(Path script) {
        this.script = script;
    }

    /** The argument is the file that says what to do. */
    public static void main(String[] arguments) throws IOException {
        new ScriptedProgram(Path.of(arguments[0])).run();
    }

    private JsonNode read() throws IOException {
        String line = in.readLine();
        return line == null ? Json.object() : Json.read(line).orElseThrow();
    }

    private void hear(String what) throws IOException {
        Files.writeString(
                script.resolveSibling("heard"), what + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    private void run() throws IOException {
        for (JsonNode message = read(); !message.isEmpty(); message = read()) {
            String method = Json.text(message, "method");
            switch (method) {
                case "initialize" -> {
                    ObjectNode able = Json.object().put("protocolVersion", 1);
                    able.putObject("agentCapabilities")
                            .put("loadSession", !Files.readString(script).contains("forgetful"));
                    answer(message, able);
                }
                case "session/new" -> {
                    hear(method);
                    if (Files.readString(script).contains("login")) {
                        refuse(message, -32000, "Authentication required");
                        continue;
                    }
                    if (Files.readString(script).contains("closed")) {
                        refuse(message, -32603, "No seat at desk:secret@10.0.0.7");
                        continue;
                    }
                    if (Files.readString(script).contains("wrong")) {
                        answer(message, Json.object());
                        continue;
                    }
                    answer(
                            message,
                            Json.object()
                                    .put("sessionId", ProcessHandle.current().pid() + "-" + ++sessions));
                    if (Files.readString(script).contains("unread")) {
                        if (Files.readString(script).contains("stubborn")) {
                            Runtime.getRuntime().addShutdownHook(new Thread(ScriptedProgram::never));
                        }
                        awaitUnread();
                        hear("pid " + ProcessHandle.current().pid());
                        never();
                    }
                }
                case "session/load" -> {
                    hear(method);
                    say(Json.text(message.path("params"), "sessionId"), "This was said long ago.");
                    answer(message, Json.object());
                }
                case "session/prompt" -> prompted(message);
                default -> hear(method);
            }
        }
    }

    /** Does nothing until the process ends. */
    private static void never() {
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits for a prompt without reading it. */
    private static void awaitUnread() throws IOException {
        while (System.in.available() == 0) {
            Thread.onSpinWait();
        }
    }

    private void prompted(JsonNode message) throws IOException {
        String session = Json.text(message.path("params"), "sessionId");
        List<String> heard = message.path("params").path("prompt").findValuesAsText("text");
        for (JsonNode block : message.path("params").path("prompt")) {
            hear("text " + Json.text(block, "text").replace('\n', ' '));
        }
        String what = Files.readString(script);
        if (what.contains("fail")) {
            refuse(message, -32603, "No more credit.\nAsk your operator.");
            return;
        }
        if (what.contains("quote")) {
            String said = heard.get(heard.size() - 1);
            refuse(message, -32603, "cannot answer " + said);
            return;
        }
        if (what.contains("die")) {
            System.exit(7);
        }
        if (what.contains("hang")) {
            say(session, "I begin");
            awaitCancel();
            if (what.contains("on")) {
                say(session, " and go on");
                tools(session);
                say(session, " and on");
            }
            stop(message, "cancelled");
            return;
        }
        if (what.contains("greedy")) {
            greedy(session);
            stop(message, "end_turn");
            return;
        }
        if (what.contains("deaf")) {
            return;
        }
        if (what.contains("pestering")) {
            for (int i = 0; i < 5_000; i++) {
                write(Json.object().put("jsonrpc", "2.0").put("id", i).put("method", "fs/read_text_file"));
            }
            never();
        }
        if (what.contains("tools")) {
            tools(session);
        }
        if (what.contains("permission")) {
            String outcome = permission(session);
            say(session, outcome);
            stop(message, outcome.equals("cancelled") ? "cancelled" : "end_turn");
            return;
        }
        if (what.contains("file")) {
            ObjectNode wanted =
                    Json.object().put("jsonrpc", "2.0").put("id", "f1").put("method", "fs/read_text_file");
            wanted.putObject("params").put("sessionId", session).put("path", "/x");
            write(wanted);
            say(session, "refused with " + read().path("error").path("code").asInt());
            stop(message, "end_turn");
            return;
        }
        if (what.contains("chart")) {
            update(session, "agent_message_chunk")
                    .putObject("content")
                    .put("type", "image")
                    .put("mimeType", "image/png")
                    .put("data", "aGVsbG8=")
                    .put("uri", "file:///tmp/chart.png");
            send();
        }
        say(session, "Do");
        say(session, "ne.");
        stop(message, "end_turn");
    }

    private void awaitCancel() throws IOException {
        while (true) {
            String method = Json.text(read(), "method");
            hear(method);
            if (method.equals("session/cancel")) {
                return;
            }
        }
    }

    /** Two tools at once, of which the second ends first. */
    private void tools(String session) {
        say(session, "I look it up.");
        update(session, "tool_call")
                .put("toolCallId", "t1")
                .put("title", "Read notes")
                .put("kind", "read");
        send();
        update(session, "tool_call")
                .put("toolCallId", "t2")
                .put("title", "List files")
                .put("kind", "search");
        send();
        for (String each : new String[] {"t2", "t1"}) {
            ObjectNode done =
                    update(session, "tool_call_update").put("toolCallId", each).put("status", "completed");
            done.putArray("content")
                    .addObject()
                    .put("type", "content")
                    .putObject("content")
                    .put("type", "text")
                    .put("text", "result of " + each);
            send();
        }
    }

    /** Asks for many permissions at once, and says how many it was refused before anybody decided. */
    private void greedy(String session) throws IOException {
        for (int i = 0; i < 150; i++) {
            askPermission(session);
        }
        int refused = 0;
        while (refused < 50 && read().path("result").toString().contains("no-1")) {
            refused++;
        }
        say(session, "refused " + refused);
    }

    private String permission(String session) throws IOException {
        askPermission(session);
        JsonNode answer = read();
        while (answer.has("method")) {
            hear(Json.text(answer, "method"));
            answer = read();
        }
        JsonNode outcome = answer.path("result").path("outcome");
        return Json.text(outcome, "outcome").equals("selected") ? Json.text(outcome, "optionId") : "cancelled";
    }

    private void askPermission(String session) {
        ObjectNode wanted = Json.object()
                .put("jsonrpc", "2.0")
                .put("id", "p" + ++asked)
                .put("method", "session/request_permission");
        ObjectNode parameters = wanted.putObject("params").put("sessionId", session);
        parameters.putObject("toolCall").put("toolCallId", "t9").put("title", "Delete everything");
        var options = parameters.putArray("options");
        options.addObject().put("optionId", "yes-1").put("name", "Yes").put("kind", "allow_once");
        options.addObject().put("optionId", "yes-2").put("name", "Always").put("kind", "allow_always");
        options.addObject().put("optionId", "no-1").put("name", "No").put("kind", "reject_once");
        write(wanted);
    }

    private ObjectNode pending = Json.object();

    private ObjectNode update(String session, String kind) {
        pending = Json.object().put("jsonrpc", "2.0").put("method", "session/update");
        return pending.putObject("params")
                .put("sessionId", session)
                .putObject("update")
                .put("sessionUpdate", kind);
    }

    private void send() {
        write(pending);
    }

    private void say(String session, String text) {
        update(session, "agent_message_chunk")
                .putObject("content")
                .put("type", "text")
                .put("text", text);
        send();
    }

    private static void answer(JsonNode message, ObjectNode result) {
        ObjectNode answer = Json.object().put("jsonrpc", "2.0");
        answer.set("id", message.path("id"));
        answer.set("result", result);
        write(answer);
    }

    private static void refuse(JsonNode message, int code, String why) {
        ObjectNode error = Json.object().put("jsonrpc", "2.0");
        error.set("id", message.path("id"));
        error.putObject("error").put("code", code).put("message", why);
        write(error);
    }

    private static void stop(JsonNode message, String reason) {
        answer(message, Json.object().put("stopReason", reason));
    }

    private static void write(ObjectNode message) {
        OUT.print(Json.write(message) + "\n");
        OUT.flush();
    }
}
