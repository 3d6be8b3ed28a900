package dev.parley.domain.turn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.SessionSource;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TurnValuesTest {
    private static final Instant THEN = Instant.parse("2026-03-10T09:00:00Z");
    private static final SessionKey KEY = SessionKey.of("agent:main:telegram:dm:1");

    private static Inbound inbound() {
        return new Inbound(
                new InboundId("in"),
                KEY,
                3,
                Inbound.Kind.MESSAGE,
                SessionSource.builder(Platform.TELEGRAM, "1").build(),
                "text",
                List.of(),
                THEN,
                Optional.empty(),
                Inbound.State.ADMITTED,
                Optional.empty());
    }

    private static Outgoing outgoing() {
        return new Outgoing(
                new OutgoingId("o"),
                Optional.of(KEY),
                Platform.TELEGRAM,
                "1",
                Optional.empty(),
                "text",
                Outgoing.Kind.REPLY,
                THEN,
                Optional.empty(),
                Outgoing.State.PENDING,
                0);
    }

    @Test
    void idsAreNotBlank() {
        assertThatThrownBy(() -> new InboundId("")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new OutgoingId(" ")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new TurnId("")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new RunId("\t")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aMessageKeepsItsPlaceWhateverBecomesOfIt() {
        Inbound claimed = inbound().claimedBy(new TurnId("t"));
        assertThat(claimed.state()).isEqualTo(Inbound.State.CLAIMED);
        assertThat(claimed.turn()).hasValue(new TurnId("t"));

        Inbound done = claimed.in(Inbound.State.DONE);
        assertThat(done.turn()).hasValue(new TurnId("t"));
        assertThat(done.ordinal()).isEqualTo(3);
        assertThat(inbound().as(Inbound.Kind.STEER).as(Inbound.Kind.MESSAGE)).isEqualTo(inbound());
        assertThat(claimed.in(Inbound.State.ADMITTED).state()).isEqualTo(Inbound.State.ADMITTED);
    }

    @Test
    void everyAttemptIsCounted() {
        Outgoing twice = outgoing().attempted().attempted();

        assertThat(twice.attempts()).isEqualTo(2);
        assertThat(twice.state()).isEqualTo(Outgoing.State.ATTEMPTED);
        assertThat(twice.delivered().attempts()).isEqualTo(2);
        assertThat(twice.delivered().state()).isEqualTo(Outgoing.State.DELIVERED);
        assertThat(twice.expired().state()).isEqualTo(Outgoing.State.EXPIRED);
        assertThat(Outgoing.Kind.BANNER.text()).isEqualTo("banner");
    }

    @Test
    void anEndedTurnSaysHowAndWhen() {
        Turn turn = new Turn(
                new TurnId("t"),
                KEY,
                SessionId.of("s"),
                new RunId("r"),
                List.of(new InboundId("in")),
                THEN,
                Turn.State.CLAIMED,
                Optional.empty());

        assertThat(turn.ended(Turn.State.DROPPED, THEN.plusSeconds(1)).endedAt())
                .hasValue(THEN.plusSeconds(1));
        assertThat(turn.ended(Turn.State.DROPPED, THEN).state()).isEqualTo(Turn.State.DROPPED);
        assertThat(turn.in(SessionId.of("tip")).session()).isEqualTo(SessionId.of("tip"));
        assertThat(turn.in(SessionId.of("tip")).in(SessionId.of("s"))).isEqualTo(turn);
    }

    @Test
    void onlyPhotosArePhotos() {
        assertThat(new Attachment(Attachment.PHOTO, "x", Optional.empty(), Optional.empty()).isPhoto())
                .isTrue();
        assertThat(new Attachment("document", "x", Optional.empty(), Optional.of("image/png")).isPhoto())
                .isFalse();
    }
}
