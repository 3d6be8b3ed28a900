package dev.parley.bootstrap.wiring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.application.port.InvalidRequest;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class MakingTest {
    private static final Duration LONG = Duration.ofMinutes(5);

    @Test
    void aPartThatIsMadeIsRefusedByNothing() {
        assertThat(new Making("platforms.desk", () -> {}).refusal(LONG)).isEmpty();
    }

    @Test
    void aPartThatIsNeverMadeIsToldWithItsSectionAndTheLineAtWhichItWaits() {
        CountDownLatch never = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        Making hanging = new Making("platforms.desk", () -> {
            try {
                never.await();
            } catch (InterruptedException e) {
                interrupted.countDown();
            }
        });

        // Its thread may not have begun to wait by then: the section is told all the same.
        assertThat(hanging.refusal(Duration.ofMillis(200)))
                .get()
                .asString()
                .startsWith("platforms.desk is not made after 0 s")
                .contains("switch it off");
        assertThat(interrupted).satisfies(CountDownLatch::await);
    }

    @Test
    void whatItCannotTakeOfItsSettingsIsItsOwnSentence() {
        assertThat(new Making("agents.desk", () -> {
                            throw new InvalidRequest("agents.desk.model is empty; name one.");
                        })
                        .refusal(LONG))
                .contains("agents.desk.model is empty; name one.");
    }

    @Test
    void aFailureOfItsCodeIsPassedOn() {
        IllegalStateException failure = new IllegalStateException("broken");

        assertThatThrownBy(() -> new Making("agents.desk", () -> {
                            throw failure;
                        })
                        .refusal(LONG))
                .isSameAs(failure);
    }
}
