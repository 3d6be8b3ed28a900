package dev.parley.adapter.kit.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.port.AnswerListener;
import dev.parley.application.port.InboundListener;
import dev.parley.application.port.Receipt;
import dev.parley.application.port.Received;
import dev.parley.domain.source.Platform;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

class ConnectionTest {
    private final List<String> told = new ArrayList<>();
    private final InboundListener listener = new InboundListener() {
        @Override
        public CompletionStage<Receipt> receive(Received message, AnswerListener answer) {
            throw new AssertionError("not asked for here");
        }

        @Override
        public void connected(Platform platform) {
            told.add("connected");
        }

        @Override
        public void disconnected(Platform platform) {
            told.add("disconnected");
        }
    };
    private final Connection connection = new Connection(Platform.MATRIX, "It", listener, told::add);

    @Test
    void eachChangeIsToldOnce() {
        connection.trouble("no network", "", true);
        connection.trouble("no network", "", true);
        connection.up();
        connection.up();
        connection.trouble("slow", "Wait.", false);
        connection.trouble("gone", "", true);
        connection.up();

        assertThat(told)
                .containsExactly(
                        "no network; trying again.",
                        "It answers again.",
                        "connected",
                        "slow; trying again. Wait.",
                        "disconnected",
                        "It answers again.",
                        "connected");
    }

    @Test
    void whatIsWrongIsKnownUntilItIsRight() {
        connection.trouble("slow", "Wait.", false);
        assertThat(connection.ailment()).get().satisfies(ailment -> {
            assertThat(ailment.what()).isEqualTo("slow");
            assertThat(ailment.advice()).isEqualTo("Wait.");
        });
        connection.up();
        assertThat(connection.ailment()).isEmpty();
    }
}
