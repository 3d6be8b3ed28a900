package dev.parley.contracts.port;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.port.ProcessActivity;
import dev.parley.contracts.level.ContractReport;
import dev.parley.contracts.level.Core;
import dev.parley.contracts.level.NoSilencedTests;
import dev.parley.domain.key.SessionKey;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.extension.ExtendWith;

/** {@link ProcessActivity}. */
@ExtendWith({NoSilencedTests.class, ContractReport.class})
public interface ProcessActivityContract {
    /** Returns an activity in which exactly these background processes of the lane are live. */
    ProcessActivity running(SessionKey lane, List<Instant> startedAt);

    @Core
    default void aLaneWithoutProcessesHasNone() {
        SessionKey lane = SessionKey.of("agent:main:telegram:dm:1");

        assertThat(running(lane, List.of()).startedAt(lane)).isEmpty();
        assertThat(ProcessActivity.NONE.startedAt(lane)).isEmpty();
    }

    @Core
    default void everyLiveProcessIsTold() {
        SessionKey lane = SessionKey.of("agent:main:telegram:dm:1");
        List<Instant> starts = List.of(Instant.parse("2026-03-10T08:00:00Z"), Instant.parse("2026-03-10T09:30:00.5Z"));

        assertThat(running(lane, starts).startedAt(lane)).containsExactlyInAnyOrderElementsOf(starts);
    }

    @Core
    default void processesOfOtherLanesDoNotCount() {
        ProcessActivity activity = running(SessionKey.of("agent:main:telegram:dm:1"), List.of(Instant.EPOCH));

        assertThat(activity.startedAt(SessionKey.of("agent:main:telegram:dm:12")))
                .isEmpty();
        assertThat(activity.startedAt(SessionKey.of("agent:main:telegram:dm"))).isEmpty();
    }
}
