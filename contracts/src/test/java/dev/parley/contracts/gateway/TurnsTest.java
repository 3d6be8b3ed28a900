package dev.parley.contracts.gateway;

import static dev.parley.contracts.gateway.Bench.ALICE;
import static dev.parley.contracts.gateway.Bench.ALICES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.port.Receipt;
import org.junit.jupiter.api.Test;

/** A message's day: admission, claim, agent, answer, delivery. */
class TurnsTest {
    private final Bench bench = new Bench();

    @Test
    void aMessageIsAdmittedRunAndAnsweredAndEverythingIsStored() {
        bench.start();
        Receipt receipt = bench.say(ALICE, "hello");

        assertThat(bench.trouble()).isEmpty();
        assertThat(receipt).isInstanceOf(Receipt.Admitted.class);
        assertThat(bench.seen(ALICE)).hasSize(1);
        assertThat(bench.transcript(ALICES)).hasSize(2).startsWith("user: hello");
        assertThat(bench.decisions(ALICES)).containsExactly("create S1");
        assertThat(bench.transitions(ALICES)).containsExactly("created first_message");
        assertThat(bench.notes(ALICES)).containsExactly("first-contact");
        assertThat(bench.memory.queue().claimed()).isEmpty();
        assertThat(bench.memory.queue().admitted()).isEmpty();
        assertThat(bench.memory.queue().undelivered()).isEmpty();
    }
}
