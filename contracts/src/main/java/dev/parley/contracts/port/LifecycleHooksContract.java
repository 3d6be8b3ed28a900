package dev.parley.contracts.port;

import static org.assertj.core.api.Assertions.assertThatCode;

import dev.parley.application.port.LifecycleHooks;
import dev.parley.contracts.level.Concurrent;
import dev.parley.contracts.level.ContractReport;
import dev.parley.contracts.level.Core;
import dev.parley.contracts.level.NoSilencedTests;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.transcript.Content;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.MessageId;
import dev.parley.domain.transcript.Role;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.extension.ExtendWith;

/** {@link LifecycleHooks}: what whoever is told must put up with. */
@ExtendWith({NoSilencedTests.class, ContractReport.class})
public interface LifecycleHooksContract {
    /** Returns the hooks. */
    LifecycleHooks hooks();

    private static void tell(LifecycleHooks hooks, int session) {
        SessionKey lane = SessionKey.of("agent:main:telegram:dm:1");
        SessionId id = SessionId.of("s" + session);
        hooks.sessionStarted(lane, id);
        hooks.beforeRun(
                lane,
                id,
                Message.builder(new MessageId("m" + session), Role.USER, Content.text("hello"), Instant.EPOCH)
                        .build());
        hooks.sessionReset(lane, id);
        hooks.sessionFinalized(lane, id, Optional.of(SessionId.of("next")), "idle");
        hooks.sessionFinalized(lane, id, Optional.empty(), "pruned");
    }

    @Core
    default void theSameMayBeToldTwice() {
        LifecycleHooks hooks = hooks();

        assertThatCode(() -> {
                    tell(hooks, 1);
                    tell(hooks, 1);
                })
                .doesNotThrowAnyException();
    }

    @Core
    default void anEndMayBeToldWithoutABeginning() {
        LifecycleHooks hooks = hooks();

        assertThatCode(() -> hooks.sessionFinalized(
                        SessionKey.of("agent:main:telegram:dm:9"), SessionId.of("unknown"), Optional.empty(), "crash"))
                .doesNotThrowAnyException();
    }

    @Concurrent
    default void severalLanesMayTellAtOnce() {
        LifecycleHooks hooks = hooks();

        assertThatCode(() -> IntStream.range(0, 200).parallel().forEach(i -> tell(hooks, i)))
                .doesNotThrowAnyException();
    }
}
