package dev.parley.contracts.gateway;

import static dev.parley.contracts.gateway.Bench.ALICE;
import static dev.parley.contracts.gateway.Bench.ALICES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.port.AgentTurn;
import dev.parley.application.replay.ScriptedTurn;
import dev.parley.domain.transcript.Content;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.MessageId;
import dev.parley.domain.transcript.Role;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Storage 7.8: messages that the hooks put before the input of one run. */
class InjectedMessagesTest {
    private final Bench bench = new Bench();

    @Test
    @DisplayName(
            "storage 7.8: what the hooks inject comes before the input of the run, in their order, after the conversation")
    void theAgentIsGivenWhatTheHooksInject() {
        bench.start();
        bench.hooks.inject(injected("memory: likes tea"), injected("directory: /srv"));
        bench.say(ALICE, "one");
        bench.hooks.inject(injected("memory: likes coffee"));
        bench.say(ALICE, "two");

        assertThat(bench.agents.turns()).hasSize(2);
        assertThat(texts(bench.agents.turns().get(0))).containsExactly("memory: likes tea", "directory: /srv");
        assertThat(texts(bench.agents.turns().get(1))).containsExactly("memory: likes coffee");
    }

    @Test
    @DisplayName("storage 7.8: what was injected is neither stored nor in the history of the next run")
    void whatWasInjectedIsNotKept() {
        bench.start();
        bench.hooks.inject(injected("memory: likes tea"));
        bench.say(ALICE, "one");
        bench.say(ALICE, "two");

        assertThat(bench.transcript(ALICES)).hasSize(4).noneMatch(line -> line.contains("likes tea"));
        assertThat(bench.agents.turns().get(1).history())
                .hasSize(2)
                .noneMatch(m -> m.content().toString().contains("likes tea"));
    }

    @Test
    @DisplayName("storage 7.8: a resumed turn is given fresh ones too")
    void aResumedTurnIsGivenThemToo() {
        bench.script(ScriptedTurn.reply("late").taking(Duration.ofHours(1)));
        bench.start();
        bench.hooks.inject(injected("before the crash"));
        bench.say(ALICE, "one");
        bench.crash();
        bench.hooks.inject(injected("after the crash"));
        bench.start();

        assertThat(bench.agents.turns()).hasSize(2);
        assertThat(texts(bench.agents.turns().get(1))).containsExactly("after the crash");
    }

    @Test
    @DisplayName("storage 7.8: a hook that fails costs the turn what it would have added, nothing else")
    void aFailingHookDoesNotFailTheTurn() {
        bench.start();
        bench.hooks.inject(injected("memory: likes tea"));
        bench.say(ALICE, "one");
        bench.hooks.failNext(1);
        bench.say(ALICE, "two");

        assertThat(bench.trouble()).singleElement().asString().contains("A hook failed");
        assertThat(texts(bench.agents.turns().get(1))).isEmpty();
        assertThat(bench.seen(ALICE)).hasSize(2);
    }

    private static List<String> texts(AgentTurn turn) {
        return turn.injected().stream().map(m -> m.content().plainText()).toList();
    }

    private static Message injected(String text) {
        return Message.builder(new MessageId(text.replaceAll("\\W", "-")), Role.USER, Content.text(text), Bench.BEGIN)
                .build();
    }
}
