package dev.parley.contracts.port;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.parley.application.port.GatewayMarkers;
import dev.parley.contracts.level.ContractReport;
import dev.parley.contracts.level.Core;
import dev.parley.contracts.level.Durable;
import dev.parley.contracts.level.NoSilencedTests;
import dev.parley.domain.key.SessionKey;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.extension.ExtendWith;

/** {@link GatewayMarkers}. */
@ExtendWith({NoSilencedTests.class, ContractReport.class})
public interface GatewayMarkersContract {
    /** Returns the markers of one home; called again for the next gateway of that home. Nothing is noted at first. */
    GatewayMarkers open();

    /** Makes everything noted unreadable; returns false where that cannot be done. */
    boolean damage();

    @Core
    default void nothingIsNotedAtFirst() {
        GatewayMarkers markers = open();

        assertThat(markers.takeCleanShutdown()).isFalse();
        assertThat(markers.restartCounts()).isEmpty();
        assertThat(markers.resumeBoots()).isEmpty();
    }

    @Durable
    default void aCleanStopIsTakenOnceByTheNextGateway() {
        open().noteCleanShutdown();

        assertThat(open().takeCleanShutdown()).as("P7.2").isTrue();
        assertThat(open().takeCleanShutdown()).isFalse();
    }

    @Core
    default void notingACleanStopTwiceIsNotingItOnce() {
        GatewayMarkers markers = open();
        markers.noteCleanShutdown();
        markers.noteCleanShutdown();

        assertThat(markers.takeCleanShutdown()).isTrue();
        assertThat(markers.takeCleanShutdown()).isFalse();
    }

    @Durable
    default void restartCountsAreThereForTheNextGateway() {
        Map<SessionKey, Integer> counts = Map.of(
                SessionKey.of("agent:main:matrix:group:!r%3Aex.org:@a%3Aex.org"),
                2,
                SessionKey.of("agent:main:google_chat:group:spaces/AAA/日本"),
                1);
        open().putRestartCounts(counts);

        assertThat(open().restartCounts()).isEqualTo(counts);
    }

    @Durable
    default void restartCountsAreReplacedAndRemoved() {
        SessionKey one = SessionKey.of("agent:main:telegram:dm:1");
        SessionKey two = SessionKey.of("agent:main:telegram:dm:2");
        open().putRestartCounts(Map.of(one, 1));
        open().putRestartCounts(Map.of(two, 3));
        assertThat(open().restartCounts()).isEqualTo(Map.of(two, 3));

        open().putRestartCounts(Map.of());
        assertThat(open().restartCounts()).isEmpty();
    }

    @Durable
    default void startsAreKeptInOrder() {
        List<Instant> boots = List.of(
                Instant.parse("2026-03-10T08:00:00.123456Z"),
                Instant.parse("2026-03-10T08:00:05Z"),
                Instant.parse("2026-03-10T08:01:00Z"));
        open().putResumeBoots(boots);
        assertThat(open().resumeBoots()).isEqualTo(boots);

        open().putResumeBoots(List.of());
        assertThat(open().resumeBoots()).isEmpty();
    }

    @Core
    default void nothingIsHeldBackUnlessAnOperatorSaysSo() {
        assertThat(open().isHeld()).as("P7.49").isFalse();
    }

    @Core
    default void theMarkersAreIndependentOfEachOther() {
        SessionKey key = SessionKey.of("agent:main:telegram:dm:1");
        GatewayMarkers markers = open();
        markers.putRestartCounts(Map.of(key, 1));
        markers.putResumeBoots(List.of(Instant.EPOCH));
        markers.noteCleanShutdown();

        assertThat(markers.takeCleanShutdown()).isTrue();
        assertThat(markers.restartCounts()).isEqualTo(Map.of(key, 1));
        assertThat(markers.resumeBoots()).containsExactly(Instant.EPOCH);
    }

    @Durable
    default void whatCannotBeReadCountsAsNothingAndCanBeWrittenAgain() {
        SessionKey key = SessionKey.of("agent:main:telegram:dm:1");
        open().putRestartCounts(Map.of(key, 1));
        open().putResumeBoots(List.of(Instant.EPOCH));
        assumeTrue(damage(), "These markers cannot be damaged.");

        assertThat(open().restartCounts()).as("P7.12").isEmpty();
        assertThat(open().resumeBoots()).as("P7.25").isEmpty();
        open().putRestartCounts(Map.of(key, 2));
        open().putResumeBoots(List.of(Instant.EPOCH.plusSeconds(1)));
        assertThat(open().restartCounts()).isEqualTo(Map.of(key, 2));
        assertThat(open().resumeBoots()).containsExactly(Instant.EPOCH.plusSeconds(1));
    }
}
