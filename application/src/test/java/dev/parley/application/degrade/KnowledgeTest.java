package dev.parley.application.degrade;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.domain.change.Change;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.source.ChatType;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.turn.InboundId;
import dev.parley.domain.turn.PlatformMessage;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class KnowledgeTest {
    private static final SessionSource SOURCE =
            SessionSource.builder(Platform.TELEGRAM, "1").chatType(ChatType.DM).build();

    private static PlatformMessage name(int number) {
        return new PlatformMessage(Platform.TELEGRAM, "1", Integer.toString(number));
    }

    private static Inbound inbound(int number) {
        return new Inbound(
                new InboundId("i" + number),
                SessionKey.of("agent:main:telegram:dm:1"),
                number,
                Inbound.Kind.MESSAGE,
                SOURCE,
                "",
                List.of(),
                Instant.EPOCH,
                Optional.of(name(number)),
                Inbound.State.ADMITTED,
                Optional.empty());
    }

    @Test
    @DisplayName("Commit rule 3: of more received messages than are kept the newest are, whoever received them")
    void theNewestReceivedMessagesAreKept() {
        Knowledge knowledge = new Knowledge();
        IntStream.rangeClosed(20_001, 25_000)
                .forEach(i -> knowledge.committed(List.of(new Change.PutInbound(inbound(i)))));

        knowledge.receivedBefore(IntStream.rangeClosed(1, 25_000)
                .mapToObj(KnowledgeTest::inbound)
                .toList());

        assertThat(knowledge.received(name(25_000))).isPresent();
        assertThat(knowledge.received(name(20_001))).isPresent();
        assertThat(knowledge.received(name(5_001))).isPresent();
        assertThat(knowledge.received(name(5_000))).isEmpty();
    }

    private static Inbound ofLane(int lane, Inbound.State state) {
        return new Inbound(
                new InboundId("of" + lane),
                SessionKey.of("agent:main:telegram:dm:" + lane),
                5,
                Inbound.Kind.MESSAGE,
                SOURCE,
                "",
                List.of(),
                Instant.EPOCH,
                Optional.empty(),
                state,
                Optional.empty());
    }

    @Test
    void ofMoreLanesThanAreKeptThoseThatAMessageCameToLastAndThoseWithWaitingMessagesAreKnown() {
        Knowledge knowledge = new Knowledge();
        knowledge.committed(List.of(new Change.PutInbound(ofLane(1, Inbound.State.ADMITTED))));
        IntStream.rangeClosed(2, 25_000)
                .forEach(lane -> knowledge.committed(List.of(new Change.PutInbound(ofLane(lane, Inbound.State.DONE)))));

        assertThat(knowledge.lastOrdinal(SessionKey.of("agent:main:telegram:dm:1")))
                .isEqualTo(5);
        assertThat(knowledge.lastOrdinal(SessionKey.of("agent:main:telegram:dm:25000")))
                .isEqualTo(5);
        assertThat(knowledge.lastOrdinal(SessionKey.of("agent:main:telegram:dm:2")))
                .isZero();
    }
}
