package dev.parley.domain.turn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.SessionSource;
import java.time.Duration;
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

    @Test
    void aNoteAndAFailureAreOneShortLine() {
        Turn turn = Turn.claimed(new TurnId("t"), KEY, SessionId.of("s"), new RunId("r"), List.of(), THEN)
                .noted("  one\ntwo " + "x".repeat(1000));

        assertThat(turn.note().orElseThrow())
                .startsWith("one two x")
                .hasSize(300)
                .endsWith("...");
        assertThat(turn.noted(" \n").note()).isEmpty();
        assertThat(outgoing().failed("a\r\nb", Optional.empty()).delivery().failure())
                .hasValue("a  b");
    }

    @Test
    void aTurnTakesFromItsClaimToItsEnd() {
        Turn turn = Turn.claimed(new TurnId("t"), KEY, SessionId.of("s"), new RunId("r"), List.of(), THEN);

        assertThat(turn.took()).isEmpty();
        assertThat(turn.working(THEN.plusSeconds(1))
                        .ended(Turn.State.COMPLETED, THEN.plusSeconds(3))
                        .took())
                .hasValue(Duration.ofSeconds(3));
        assertThat(turn.used(TurnUsage.NONE.answeringAt(THEN).answeringAt(THEN.plusSeconds(1)))
                        .usage()
                        .firstWordAt())
                .hasValue(THEN);
    }

    @Test
    void aPartIsSentOnceAndKeepsItsMessages() {
        Outgoing sent = outgoing()
                .attempted(THEN)
                .sent(new SentPart(1, List.of("a", "b")))
                .failed("cut off", Optional.of(THEN.plusSeconds(30)))
                .sent(new SentPart(1, List.of("other")))
                .attempted(THEN.plusSeconds(40))
                .sent(new SentPart(2, List.of("c")))
                .delivered();

        assertThat(sent.delivery().messageIds()).containsExactly("a", "b", "c");
        assertThat(sent.delivery().notBefore()).isEmpty();
        assertThat(sent.delivery().failure()).hasValue("cut off");
        assertThat(sent.delivery().attemptedAt()).hasValue(THEN.plusSeconds(40));
        assertThat(sent.attempts()).isEqualTo(2);
        assertThat(sent.toBuilder().build()).isEqualTo(sent);
        assertThatThrownBy(() -> new SentPart(0, List.of())).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aMessageExpiresAtItsTime() {
        Outgoing notice = outgoing().toBuilder().expiresAt(THEN.plusSeconds(5)).build();

        assertThat(notice.isExpiredAt(THEN.plusSeconds(4))).isFalse();
        assertThat(notice.isExpiredAt(THEN.plusSeconds(5))).isTrue();
        assertThat(outgoing().isExpiredAt(THEN.plusSeconds(1_000_000))).isFalse();
    }

    @Test
    void whatPeopleWroteIsLeftOutOfAMessageWithoutContent() {
        Inbound full = inbound().toBuilder()
                .replyTo(new ReplyTo("m", Optional.of("Ada"), Optional.of("secret"), true))
                .context(List.of(PrecedingMessage.of("Bob", "secret")))
                .event(new ChatEvent.Edited("m", "secret"))
                .attachments(List.of(new Attachment("photo", "secret", Optional.empty(), Optional.empty())))
                .text("secret")
                .mentioned(true)
                .build();

        assertThat(full.withoutContent().toString()).doesNotContain("secret", "Ada", "Bob");
        assertThat(full.withoutContent().mentioned()).isTrue();
        assertThat(full.withoutContent().replyTo().map(ReplyTo::messageId)).hasValue("m");
        assertThat(full.toBuilder().build()).isEqualTo(full);
    }

    @Test
    void aHoldIsRefusedOnceAnotherHasTakenTheLane() {
        Hold first = Hold.NONE.takenBy(new LifeId("a"));
        Hold second = first.takenBy(new LifeId("b"));

        assertThat(Hold.NONE.isFreeSince(0)).isTrue();
        assertThat(first.isHeldUnder(1)).isTrue();
        assertThat(second.isHeldUnder(1)).isFalse();
        assertThat(second.left().isFreeSince(2)).isTrue();
        assertThat(second.left().isHeldUnder(2)).isFalse();
        assertThat(second.left().takenBy(new LifeId("a")).token()).isEqualTo(3);
        assertThatThrownBy(() -> new LifeId(" ")).isInstanceOf(IllegalArgumentException.class);
    }
}
