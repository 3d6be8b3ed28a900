package dev.parley.application.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.port.GatewayEvent;
import dev.parley.application.port.GatewayEvent.Expired.Why;
import dev.parley.domain.source.Address;
import dev.parley.domain.source.Platform;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.OutgoingId;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is said of what happens. */
class GatewayEventTest {
    private static final Address CHAT =
            new Address(Platform.TELEGRAM, "7", Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

    @ParameterizedTest
    @CsvSource({
        "TOO_OLD, was not delivered in time and is given up",
        "REFUSED, was refused by its platform and is given up",
        "UNKNOWN, 'may have been delivered or not, is not sent twice and is given up'",
        "OPERATOR, was not delivered yet and is given up by an operator"
    })
    void aMessageThatIsGivenUpIsToldWithTheReason(Why why, String words) {
        Outgoing message = Outgoing.builder(new OutgoingId("o1"), CHAT, "hello", Outgoing.Kind.REPLY, Instant.EPOCH)
                .build();

        assertThat(new GatewayEvent.Expired(message.expired(), why).words())
                .isEqualTo("a message to telegram chat 7 " + words + " (it stays in the transcript)");
    }
}
