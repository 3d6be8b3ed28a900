package dev.parley.application.lane;

import dev.parley.application.port.Ids;
import dev.parley.application.port.Received;
import dev.parley.application.settings.Turns;
import dev.parley.application.turn.TurnPlan;
import dev.parley.application.turn.TurnWatch;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.Beginning;
import dev.parley.domain.session.Lane;
import dev.parley.domain.session.SessionEntry;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.transcript.Content;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.Role;
import dev.parley.domain.turn.Attachment;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.turn.OutgoingId;
import dev.parley.domain.turn.RunId;
import dev.parley.domain.turn.Turn;
import dev.parley.domain.turn.TurnId;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** Lanes, turns and messages to decide on, without a store or a clock. */
final class Given {
    static final Instant NOW = Instant.parse("2026-03-10T09:00:00Z");
    static final SessionKey KEY = SessionKey.of("agent:main:telegram:dm:1");
    static final SessionId SESSION = SessionId.of("20260310_080000_0badcafe");
    static final SessionSource ALICE = SessionSource.builder(Platform.TELEGRAM, "1")
            .userId("1")
            .userName("Alice")
            .build();

    /** The message in which an agent's people were asked. */
    static final OutgoingId ASKED = new OutgoingId("out-1");

    private static final AtomicInteger NEXT = new AtomicInteger();

    private Given() {}

    static Moment moment() {
        return moment(NOW);
    }

    static Moment moment(Instant at) {
        return new Moment(KEY, at, ZoneOffset.UTC, new Ids() {
            @Override
            public String sessionSuffix() {
                return "00000001";
            }

            @Override
            public String unique(String prefix) {
                return prefix + "-" + NEXT.incrementAndGet();
            }

            @Override
            public Duration jitter(Duration least, Duration most) {
                return least;
            }
        });
    }

    static Received says(String text) {
        return new Received(ALICE, text, List.of(), Optional.of("m" + NEXT.incrementAndGet()));
    }

    static Received photo() {
        return new Received(
                ALICE,
                "",
                List.of(new Attachment(Attachment.PHOTO, "/p.jpg", Optional.empty(), Optional.empty())),
                Optional.empty());
    }

    static Inbound inbound(LaneState state, String text) {
        return moment().inbound(
                        state.waiting(),
                        Inbound.Kind.MESSAGE,
                        Inbound.State.ADMITTED,
                        ALICE,
                        text,
                        List.of(),
                        Optional.empty());
    }

    /** A lane that has a session and nothing to do. */
    static LaneState idle() {
        return LaneState.UNKNOWN.with(Optional.of(
                new Lane(SessionEntry.begin(KEY, SESSION, ALICE, NOW.minusSeconds(60), Beginning.ordinary()), 3)));
    }

    static LaneState waiting(String... texts) {
        LaneState state = idle();
        for (String text : texts) {
            state = state.with(state.waiting().with(inbound(state, text)));
        }
        return state;
    }

    static TurnWork turn(Instant startedAt) {
        Inbound part = inbound(idle(), "work");
        Message input = moment().message(Role.USER, Content.text("work")).build();
        Turn turn = new Turn(
                new TurnId("t-1"),
                KEY,
                SESSION,
                new RunId("r-1"),
                List.of(part.id()),
                startedAt,
                Turn.State.CLAIMED,
                Optional.empty());
        return TurnWork.of(
                new TurnPlan(turn, List.of(part), ALICE, input, Optional.empty(), Optional.empty(), false),
                TurnWatch.begun(Turns.DEFAULT, startedAt, startedAt));
    }

    /** A lane whose agent has worked since {@code startedAt}. */
    static LaneState working(Instant startedAt) {
        return idle().with(new TurnSlot.Working(turn(startedAt)));
    }

    static LaneState working() {
        return working(NOW.minusSeconds(30));
    }
}
