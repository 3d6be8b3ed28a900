package dev.parley.adapter.acp;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.adapter.kit.json.Json;
import dev.parley.application.port.AgentAnswer;
import dev.parley.application.port.AgentEvents;
import dev.parley.application.port.AgentFailure;
import dev.parley.domain.transcript.Content;
import dev.parley.domain.transcript.Reasoning;
import dev.parley.domain.transcript.ToolCall;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tools are told one after the other, and none waits for another for ever. */
class ToolsTest {
    private final List<String> told = new ArrayList<>();
    private final Tools tools = new Tools(new Told(), Content::none);

    private static ObjectNode use(String id, String input) {
        ObjectNode use =
                Json.object().put("toolCallId", id).put("title", "Read").put("kind", "read");
        use.putObject("rawInput").put("path", input);
        return use;
    }

    private static ObjectNode done(String id) {
        return Json.object().put("toolCallId", id).put("status", "completed");
    }

    @Test
    void whatWaitsForAToolThatDoesNotEndIsToldOnceItIsMuch() {
        tools.called(use("endless", "/"));
        for (int i = 0; i < 30; i++) {
            tools.called(use("t" + i, "x".repeat(50_000)));
            tools.updated(done("t" + i));
        }
        assertThat(told).startsWith("called endless", "endless: (no result)", "called t0", "t0: completed");
        tools.updated(done("endless"));
        tools.end();
        assertThat(told).hasSize(62).endsWith("called t29", "t29: completed");
    }

    @Test
    void aToolAloneIsWaitedForHoweverMuchItIsGiven() {
        tools.called(use("write", "x".repeat(2_000_000)));
        tools.updated(done("write"));
        assertThat(told).containsExactly("called write", "write: completed");
    }

    @Test
    void aToolThatIsToldIsNotToldAgain() {
        tools.called(use("t", "/"));
        tools.updated(done("t"));
        tools.called(use("t", "/"));
        tools.updated(done("t"));
        tools.end();
        assertThat(told).containsExactly("called t", "t: completed");
    }

    private final class Told implements AgentEvents {
        @Override
        public void streamed(String delta) {}

        @Override
        public void toolsCalled(Content content, List<ToolCall> calls, Reasoning reasoning) {
            calls.forEach(call -> told.add("called " + call.id()));
        }

        @Override
        public void toolAnswered(String callId, String tool, Content result) {
            told.add(callId + ": " + result.plainText());
        }

        @Override
        public void answered(AgentAnswer answer) {}

        @Override
        public void failed(AgentFailure failure) {}

        @Override
        public void interrupted(AgentAnswer partial) {}
    }
}
