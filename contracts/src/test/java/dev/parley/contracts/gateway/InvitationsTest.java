package dev.parley.contracts.gateway;

import static dev.parley.contracts.gateway.Bench.ALICE;
import static dev.parley.contracts.gateway.Bench.BOB;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.port.Authorization;
import dev.parley.application.port.GatewayEvent;
import dev.parley.application.port.Receipt;
import dev.parley.domain.source.SessionSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Whoever may not talk never reaches an agent, and is told how to be let in where the gateway knows a way. */
class InvitationsTest {
    private final Bench bench = new Bench();
    private final List<SessionSource> asked = new ArrayList<>();
    private Optional<String> invitation = Optional.of("Ask my operator.");

    @BeforeEach
    void onlyAliceMayTalk() {
        bench.authorization = new Authorization() {
            @Override
            public boolean mayTalk(SessionSource source) {
                return source.userId().equals(ALICE.userId());
            }

            @Override
            public Optional<String> invitation(SessionSource source) {
                asked.add(source);
                return invitation;
            }

            @Override
            public boolean isAdmin(SessionSource source) {
                return false;
            }
        };
        bench.start();
    }

    private static Receipt.Reason reason(Receipt receipt) {
        assertThat(receipt).isInstanceOf(Receipt.Refused.class);
        return ((Receipt.Refused) receipt).reason();
    }

    @Test
    void somebodyUnknownIsToldInADirectChatHowToBeLetIn() {
        assertThat(reason(bench.say(BOB, "hello"))).isEqualTo(Receipt.Reason.UNPAIRED);

        assertThat(bench.seen(BOB)).containsExactly("Ask my operator.");
        assertThat(bench.events.of(GatewayEvent.TurnStarted.class)).isEmpty();
        assertThat(bench.memory.lanes().find(Bench.BOBS)).isEmpty();
    }

    @Test
    void inAGroupNobodyIsAnswered() {
        assertThat(reason(bench.say(Bench.inGroup("g", "2", "Bob"), "hello"))).isEqualTo(Receipt.Reason.NOT_ALLOWED);

        assertThat(asked).isEmpty();
        assertThat(bench.telegram.texts("g")).isEmpty();
    }

    @Test
    void aPlatformMayAskWhoMayTalkAndNobodyIsToldAnything() {
        assertThat(mayTalk(ALICE)).isTrue();
        assertThat(mayTalk(BOB)).isFalse();

        assertThat(asked).isEmpty();
        assertThat(bench.seen(BOB)).isEmpty();
        assertThat(bench.memory.lanes().find(Bench.BOBS)).isEmpty();
    }

    private boolean mayTalk(SessionSource source) {
        CompletableFuture<Boolean> answer =
                Objects.requireNonNull(bench.gateway).mayTalk(source).toCompletableFuture();
        bench.settle();
        return answer.join();
    }

    @Test
    void whereThereIsNoWayInThereIsSilence() {
        invitation = Optional.empty();

        assertThat(reason(bench.say(BOB, "hello"))).isEqualTo(Receipt.Reason.NOT_ALLOWED);
        assertThat(bench.seen(BOB)).isEmpty();
    }

    @Test
    void anInvitationThatCannotBeSentNowIsSentLater() {
        bench.telegram.disconnect();
        bench.say(BOB, "hello");
        bench.telegram.connect();
        bench.settle();

        assertThat(bench.seen(BOB)).containsExactly("Ask my operator.");
    }
}
