package dev.parley.contracts.degrade;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.application.port.GatewayEvent;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.replay.SwitchableStorage.State;
import dev.parley.application.spi.Health;
import dev.parley.application.spi.StorageSettings.Mode;
import dev.parley.contracts.hostile.Mischief;
import dev.parley.contracts.hostile.Misdeed;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Primaries, fallbacks and timers that throw, or return, what none may. */
class DegradingPlugInsTest extends DegradeBench {
    private void healsOnceItBehaves() {
        mischief = Mischief.none();
        fallbackMischief = Mischief.none();
        timers.advance(PROBE.multipliedBy(100));
        assertThat(storage.maintenance().health()).isEqualTo(new Health.Whole());
        assertThat(openStores).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource(
            value = Misdeed.class,
            names = {"THROW", "THROW_ERROR", "RETURN_NULL"})
    void aPrimaryThatMisbehavesWhileItIsOpenedPreventsNoStart(Misdeed misdeed) {
        begin(1);
        storage.close();
        mischief = Mischief.always("Primary.open", misdeed);
        restart();

        assertThat(storage.maintenance().health()).isInstanceOf(Health.Degraded.class);
        assertThat(commit(create(2, 1)).isCommitted()).isTrue();
        healsOnceItBehaves();
        assertThat(data.open(Mode.READ_ONLY).sessions().find(session(2, 1))).isPresent();
    }

    @ParameterizedTest
    @EnumSource(
            value = Misdeed.class,
            names = {"THROW", "THROW_ERROR", "RETURN_NULL"})
    void aPrimaryThatMisbehavesAtItsFirstReadPreventsNoStartAndIsClosed(Misdeed misdeed) {
        begin(1);
        storage.close();
        mischief = Mischief.always("Meta.get", misdeed);
        restart();
        timers.advance(PROBE.multipliedBy(100));

        assertThat(storage.maintenance().health()).isInstanceOf(Health.Degraded.class);
        assertThat(openStores).isEmpty();
        healsOnceItBehaves();
    }

    @ParameterizedTest
    @EnumSource(
            value = Misdeed.class,
            names = {"THROW", "THROW_ERROR", "RETURN_NULL"})
    void aPrimaryThatMisbehavesWhileItIsReopenedIsTriedAgain(Misdeed misdeed) {
        begin(1);
        primary.close();
        become(State.UNAVAILABLE);
        commit(say(1, 1, "one"));
        become(State.AVAILABLE);
        mischief =
                Mischief.of(Mischief.first(1, "Meta.get", Misdeed.THROW), Mischief.first(3, "Primary.reopen", misdeed));
        timers.advance(PROBE.multipliedBy(100));

        assertThat(said(data.open(Mode.READ_ONLY), session(1, 1))).containsExactly("hello 1", "one");
        healsOnceItBehaves();
    }

    @ParameterizedTest
    @EnumSource(
            value = Misdeed.class,
            names = {"THROW", "THROW_ERROR", "RETURN_NULL"})
    void anOpenPrimaryThatMisbehavesForGoodIsOpenedAnew(Misdeed misdeed) {
        begin(1);
        int before = openings;
        mischief = call -> openings == before && call.equals("Meta.get") ? Optional.of(misdeed) : Optional.empty();
        become(State.UNAVAILABLE);
        commit(say(1, 1, "one"));
        become(State.AVAILABLE);
        letTimersRun();

        assertThat(said(data.open(Mode.READ_ONLY), session(1, 1))).containsExactly("hello 1", "one");
        healsOnceItBehaves();
    }

    @ParameterizedTest
    @EnumSource(
            value = Misdeed.class,
            names = {"THROW", "THROW_ERROR"})
    void aPrimaryThatThrowsWhereItIsClosedIsLeft(Misdeed misdeed) {
        begin(1);
        mischief = Mischief.of(Mischief.always("Storage.close", misdeed), Mischief.first(1, "Meta.get", Misdeed.THROW));
        become(State.UNAVAILABLE);
        commit(say(1, 1, "one"));
        become(State.AVAILABLE);
        letTimersRun();

        assertThat(storage.maintenance().health()).isEqualTo(new Health.Whole());
        storage.close();
    }

    @ParameterizedTest
    @EnumSource(
            value = Misdeed.class,
            names = {"THROW", "THROW_ERROR", "RETURN_NULL"})
    void aFallbackWhoseOverlayMisbehavesRefusesUntilItDoesNot(Misdeed misdeed) {
        begin(1);
        fallbackMischief = Mischief.always("Fallback.openOverlay", misdeed);
        become(State.UNAVAILABLE);
        assertThatThrownBy(() -> commit(say(1, 1, "refused"))).isInstanceOf(StorageUnavailable.class);
        fallbackMischief = Mischief.none();
        assertThat(commit(say(1, 1, "one")).isCommitted()).isTrue();
        become(State.AVAILABLE);

        healsOnceItBehaves();
        assertThat(said(data.open(Mode.READ_ONLY), session(1, 1))).containsExactly("hello 1", "one");
    }

    @ParameterizedTest
    @EnumSource(
            value = Misdeed.class,
            names = {"THROW", "THROW_ERROR"})
    void whatAJournalThatThrowsHasNotTakenIsNotReadEither(Misdeed misdeed) {
        begin(1);
        become(State.UNAVAILABLE);
        commit(say(1, 1, "one"));
        fallbackMischief = Mischief.always("Journal.append", misdeed);
        assertThatThrownBy(() -> commit(say(1, 1, "refused"))).isInstanceOf(StorageUnavailable.class);

        assertThat(said(storage, session(1, 1))).containsExactly("hello 1", "one");
        become(State.AVAILABLE);
        healsOnceItBehaves();
        assertThat(said(data.open(Mode.READ_ONLY), session(1, 1))).containsExactly("hello 1", "one");
    }

    @ParameterizedTest
    @EnumSource(
            value = Misdeed.class,
            names = {"THROW", "THROW_ERROR", "RETURN_NULL"})
    void whatIsKnownBesideThePrimaryIsNoReasonToRefuse(Misdeed misdeed) {
        begin(1);
        storage.close();
        fallbackMischief = call -> call.equals("Fallback.openKnowledgeLog") || call.equals("Fallback.knownLanes")
                ? Optional.of(misdeed)
                : Optional.empty();
        become(State.UNAVAILABLE);
        restart();

        assertThat(commit(create(2, 1)).isCommitted()).isTrue();
        become(State.AVAILABLE);
        healsOnceItBehaves();
    }

    @ParameterizedTest
    @EnumSource(
            value = Misdeed.class,
            names = {"THROW", "THROW_ERROR", "THROW_AFTERWARDS", "RETURN_NULL"})
    void timersThatRefuseOnceKeepStorageFromHealingForNoLongerThanThat(Misdeed misdeed) {
        begin(1);
        mischief = Mischief.first(1, "Timers.after", misdeed);
        become(State.UNAVAILABLE);
        assertThat(commit(say(1, 1, "one")).isCommitted()).isTrue();
        assertThat(events.of(GatewayEvent.Degraded.class)).hasSize(1);
        become(State.AVAILABLE);
        letTimersRun();

        healsOnceItBehaves();
        assertThat(said(data.open(Mode.READ_ONLY), session(1, 1))).containsExactly("hello 1", "one");
    }

    @ParameterizedTest
    @EnumSource(
            value = Misdeed.class,
            names = {"THROW", "THROW_ERROR"})
    void timersThatRefuseEverythingKeepNothingFromBeingStored(Misdeed misdeed) {
        begin(1);
        mischief = Mischief.always("Timers.after", misdeed);
        become(State.UNAVAILABLE);

        assertThat(commit(say(1, 1, "one")).isCommitted()).isTrue();
        assertThat(events.of(GatewayEvent.Degraded.class)).hasSize(1);
    }

    /** What the exceptions of plug-ins say here. */
    private static final String MARK = "was told to misbehave";

    private static String written(GatewayEvent event) {
        StringWriter written = new StringWriter();
        if (event instanceof GatewayEvent.Trouble trouble) {
            trouble.cause().ifPresent(cause -> cause.printStackTrace(new PrintWriter(written)));
        }
        return event.toString() + written;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Primary.open",
                "Storage.ledger",
                "Storage.location",
                "Ledger.commit",
                "Lanes.find",
                "Lanes.forEach",
                "Meta.get",
                "TurnQueue.admitted",
                "StorageMaintenance.status",
                "Timers.after",
                "Fallback.openOverlay",
                "Fallback.openKnowledgeLog",
                "Fallback.knownLanes",
                "Journal.append",
                "Journal.read",
                "Journal.putAside",
                "Journal.size"
            })
    void noTextOfAPlugInsExceptionIsTold(String seam) {
        begin(1);
        storage.close();
        mischief = Mischief.always(seam, Misdeed.THROW);
        fallbackMischief = mischief;
        try {
            restart();
        } catch (StorageUnavailable e) {
            // Some seams prevent the start; what is said then is looked at below.
            events.on(new GatewayEvent.Trouble(Optional.empty(), String.valueOf(e.getMessage()), Optional.of(e)));
        }
        List<Runnable> uses = List.of(
                () -> commit(say(1, 1, "one")),
                () -> storage.lanes().find(key(1)),
                () -> storage.maintenance().status(),
                () -> become(State.UNAVAILABLE),
                () -> commit(say(1, 1, "two")),
                () -> become(State.AVAILABLE),
                this::letTimersRun);
        for (Runnable use : uses) {
            try {
                use.run();
            } catch (StorageUnavailable e) {
                events.on(new GatewayEvent.Trouble(Optional.empty(), String.valueOf(e.getMessage()), Optional.of(e)));
            }
            assertThat(storage.maintenance().health().toString()).doesNotContain(MARK);
        }

        assertThat(events.all())
                .isNotEmpty()
                .allSatisfy(event -> assertThat(written(event)).doesNotContain(MARK));
    }

    @Test
    void aCallersOwnExceptionInTheMidstOfAReadComesBackAsItIs() {
        begin(1);
        IllegalStateException own = new IllegalStateException("of the caller");

        assertThatThrownBy(() -> storage.lanes().forEach(lane -> {
                    throw own;
                }))
                .isSameAs(own);
        assertThat(storage.maintenance().health()).isEqualTo(new Health.Whole());
    }

    @Test
    void aCallersOwnExceptionInTheMidstOfACheckComesBackAsItIs() {
        begin(1);
        IllegalStateException own = new IllegalStateException("of the caller");

        assertThatThrownBy(() -> storage.maintenance().check((done, total) -> {
                    throw own;
                }))
                .isSameAs(own);
        assertThat(storage.maintenance().health()).isEqualTo(new Health.Whole());
    }
}
