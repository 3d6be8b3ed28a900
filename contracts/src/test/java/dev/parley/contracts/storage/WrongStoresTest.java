package dev.parley.contracts.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import dev.parley.application.port.Journal;
import dev.parley.application.port.SearchQuery;
import dev.parley.application.port.SessionQuery;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageSettings;
import dev.parley.contracts.level.ContractReport;
import dev.parley.contracts.level.Core;
import dev.parley.contracts.level.NoSilencedTests;
import dev.parley.domain.change.Batch;
import dev.parley.domain.change.Change;
import dev.parley.domain.change.Precondition;
import dev.parley.domain.change.SessionEdit;
import dev.parley.domain.session.Viewer;
import dev.parley.domain.transcript.StoredMessage.State;
import dev.parley.testing.memory.MemoryStorageProvider;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.Normalizer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Event;
import org.junit.platform.testkit.engine.Events;

/** Each level of the kit catches what it claims: stores with one thing wrong fail the test that is named for it. */
class WrongStoresTest {
    private static volatile Function<Path, StorageHarness> harness = WrongStoresTest::right;

    /** What the engine runs inside these tests, with the harness that was set last. */
    static class Case implements StorageContract {
        @Override
        public StorageHarness harness(Path directory) {
            return harness.apply(directory);
        }
    }

    private static StorageHarness right(Path directory) {
        return new MemoryHarness(directory.toString());
    }

    private static Arguments row(String wrong, String test, UnaryOperator<Storage> wrongly) {
        return Arguments.of(wrong, test, wrongly);
    }

    static Stream<Arguments> defects() {
        return Stream.of(
                        core(),
                        preconditions(),
                        changes(),
                        edits(),
                        lists(),
                        searches(),
                        privacy(),
                        values(),
                        pages(),
                        concurrent(),
                        durable())
                .flatMap(rows -> rows);
    }

    private static Stream<Arguments> core() {
        return Stream.of(
                row("batches are applied twice", "aBatchIsNotAppliedTwice", WrongStore::duplicatingBatches),
                row("writers are forgotten", "aBatchIsRecognisedAfterReopen", WrongStore::duplicatingBatches),
                row(
                        "writers share a count",
                        "writersCountTheirBatchesApart",
                        s -> WrongStore.swallowingFailures(
                                s, b -> b.id().writer().equals("w2"))),
                row(
                        "changes are applied one by one",
                        "aRefusedChangeLeavesNothingOfItsBatch",
                        WrongStore::applyingChangesOneByOne),
                row(
                        "messages are ordered by time",
                        "orderIsTheOrderOfStoringWhateverTheClockSaid",
                        WrongStore::orderingByTime),
                row(
                        "hidden messages are lost",
                        "messagesTakenBackAreNotLoadedButKept",
                        WrongStore::losingHiddenMessages),
                row(
                        "hidden messages are shown",
                        "messagesTakenBackAreNotLoadedButKept",
                        WrongStore::showingHiddenMessages),
                row(
                        "the tail is the head",
                        "theTailIsTheLastActiveMessagesInOrder",
                        WrongStore::takingTheHeadForTheTail),
                row(
                        "the last ordinal is forgotten",
                        "theLastOrdinalOutlivesItsMessage",
                        WrongStore::forgettingTheLastOrdinal));
    }

    private static Stream<Arguments> preconditions() {
        return Stream.of(
                ignoring(Precondition.LaneEpoch.class, "aLaneMustHaveTheEpoch"),
                ignoring(Precondition.TurnClaimed.class, "aTurnMustBeClaimedByTheRun"),
                ignoring(Precondition.NotReceived.class, "aMessageIsReceivedOnce"),
                ignoring(Precondition.StillAdmitted.class, "aMessageMustStillWait"),
                ignoring(Precondition.TitleFree.class, "aTitleIsFreeForTheSessionThatHasIt"),
                ignoring(Precondition.SessionExists.class, "aSessionMustExist"),
                ignoring(Precondition.SessionAbsent.class, "aSessionMustNotExist"),
                ignoring(Precondition.NotCurrent.class, "noLaneMustPointAtTheSession"),
                ignoring(Precondition.HoldFree.class, "aLaneIsHeldUnderTheTokenOfWhoeverTookItLast"),
                ignoring(Precondition.HeldBy.class, "aLaneIsHeldUnderTheTokenOfWhoeverTookItLast"),
                ignoring(Precondition.LastOrdinal.class, "theLastOrdinalOfALaneIsTheGreatestEverGiven"));
    }

    private static Arguments ignoring(Class<?> precondition, String test) {
        return row(
                precondition.getSimpleName() + " is not looked at",
                test,
                s -> WrongStore.ignoringPreconditions(s, precondition));
    }

    private static Stream<Arguments> changes() {
        return Stream.of(
                losing(Change.CreateSession.class, "aSessionComesBackAsItWasStored"),
                losing(Change.DeleteSession.class, "aDeletedSessionIsGoneAndItsChildrenStayWithoutParent"),
                losing(Change.PutLane.class, "aLaneComesBackAsItWasStored"),
                losing(Change.TouchLane.class, "aTouchNotesActivityAndUsage"),
                losing(Change.RemoveLane.class, "aRemovedLaneIsGoneButItsHistoryAndSessionStay"),
                losing(Change.AppendMessages.class, "messagesComeInTheOrderTheyWereAppended"),
                losing(Change.HideMessages.class, "messagesTakenBackAreNotLoadedButKept"),
                losing(Change.ReplaceMessages.class, "replacingPutsNewMessagesInThePlaceOfTheActiveOnes"),
                losing(Change.ImportMessages.class, "importedMessagesKeepTheirStateAndRaiseNoCounter"),
                losing(Change.AddUsage.class, "usageIsAdded"),
                losing(Change.PutInbound.class, "aReceivedMessageComesBackAsItWasStored"),
                losing(Change.PutTurn.class, "aTurnComesBackAsItWasStored"),
                losing(Change.PutOutgoing.class, "anOutgoingMessageComesBackAsItWasStored"),
                losing(Change.AppendHistory.class, "aLineOfHistoryComesBackAsItWasStored"),
                losing(Change.PutMeta.class, "aValueComesBackAsItWasStored"),
                losing(Change.Forget.class, "whatEndedBeforeALimitIsForgotten"),
                losing(Change.PutCursor.class, "aCursorStandsWhereItWasPutLast"),
                losing(Change.PutUsage.class, "aSlotIsSetWhateverStoodThere"),
                losing(Change.TakeLane.class, "whoeverTakesALaneGetsAGreaterTokenThanAnybodyBefore"),
                losing(Change.LeaveLane.class, "whoeverTakesALaneGetsAGreaterTokenThanAnybodyBefore"),
                losing(Change.PostInbound.class, "aPostedMessageStandsBehindAllOthersOfItsLane"),
                row(
                        "files of messages that came in are lost",
                        "aReceivedMessageComesBackAsItWasStored",
                        s -> WrongStore.changing(
                                s,
                                c -> c instanceof Change.PutInbound p
                                        ? List.of(new Change.PutInbound(p.inbound().toBuilder()
                                                .attachments(List.of())
                                                .build()))
                                        : List.of(c))),
                row(
                        "files of messages that go out are lost",
                        "anOutgoingMessageKeepsItsAddressAndHowFarItHasCome",
                        s -> WrongStore.changing(
                                s,
                                c -> c instanceof Change.PutOutgoing p
                                        ? List.of(new Change.PutOutgoing(p.outgoing().toBuilder()
                                                .attachments(List.of())
                                                .build()))
                                        : List.of(c))),
                row(
                        "compacted messages are taken for rewound ones",
                        "compactedMessagesAreNotLoadedAndAreNoRewind",
                        s -> WrongStore.changing(
                                s,
                                c -> c instanceof Change.HideMessages h
                                        ? List.of(new Change.HideMessages(h.session(), h.messages(), State.REWOUND))
                                        : List.of(c))),
                row(
                        "imported messages are counted",
                        "importedMessagesKeepTheirStateAndRaiseNoCounter",
                        s -> WrongStore.changing(
                                s,
                                c -> c instanceof Change.ImportMessages i
                                        ? i.messages().stream()
                                                .<Change>map(m ->
                                                        new Change.AppendMessages(m.session(), List.of(m.message())))
                                                .toList()
                                        : List.of(c))));
    }

    private static Arguments losing(Class<? extends Change> change, String test) {
        return row(
                change.getSimpleName() + " does nothing", test, s -> WrongStore.ignoringChanges(s, change::isInstance));
    }

    private static Stream<Arguments> edits() {
        return Stream.of(
                losingEdit(SessionEdit.End.class, "theFirstEndWins"),
                losingEdit(SessionEdit.Reopen.class, "aReopenedSessionIsLiveAndCanEndAgain"),
                losingEdit(SessionEdit.Retitle.class, "aTitleIsGivenReplacedAndTakenAway"),
                losingEdit(SessionEdit.SystemPrompt.class, "thePromptIsSet"),
                losingEdit(SessionEdit.Model.class, "theModelIsSetAndItsConfigurationOnlyWhereGiven"),
                losingEdit(SessionEdit.Parent.class, "theParentIsSetAndRemoved"),
                losingEdit(SessionEdit.Peer.class, "thePeerIsRecorded"),
                losingEdit(SessionEdit.Counts.class, "countersCanBeSet"),
                row(
                        "the last end wins",
                        "theFirstEndWins",
                        s -> WrongStore.changing(
                                s,
                                c -> c instanceof Change.EditSession e && e.edit() instanceof SessionEdit.End
                                        ? List.of(new Change.EditSession(e.session(), new SessionEdit.Reopen()), c)
                                        : List.of(c))));
    }

    private static Arguments losingEdit(Class<? extends SessionEdit> edit, String test) {
        return row(
                edit.getSimpleName() + " does nothing",
                test,
                s -> WrongStore.ignoringChanges(
                        s, c -> c instanceof Change.EditSession e && edit.isInstance(e.edit())));
    }

    private static Stream<Arguments> lists() {
        return Stream.of(
                listing("source", "aListIsLimitedToSources", q -> q.sources(Optional.empty(), q.exclude())),
                listing("exclude", "aListIsLimitedToSources", q -> q.sources(q.source(), Set.of())),
                listing("limit", "aListIsCutToItsWindow", q -> q.window(-1, q.offset())),
                listing("offset", "aListIsCutToItsWindow", q -> q.window(q.limit(), 0)),
                listing(
                        "children",
                        "delegatesAndContinuationsAreHiddenUnlessChildrenAreAskedFor",
                        q -> q.shape(false, q.project())),
                listing("project", "aChainIsShownAsItsRootWithoutProjection", q -> q.shape(q.children(), true)),
                listing(
                        "order",
                        "aListInTheOrderOfActivityLooksAtMessagesAndContinuations",
                        q -> q.ordered(SessionQuery.Order.STARTED)),
                listing("titledOnly", "aListIsLimitedToTitledSessions", q -> q.matching(false, q.text())),
                listing(
                        "text",
                        "aListIsLimitedToIdsAndTitlesWithAText",
                        q -> q.matching(q.titledOnly(), Optional.empty())),
                listing(
                        "from",
                        "aListIsLimitedToSessionsThatBeganInASpanOfTime",
                        q -> q.between(Optional.empty(), q.to())),
                listing(
                        "to",
                        "aListIsLimitedToSessionsThatBeganInASpanOfTime",
                        q -> q.between(q.from(), Optional.empty())));
    }

    private static Arguments listing(String parameter, String test, UnaryOperator<SessionQuery> wrongly) {
        return row("lists: " + parameter + " is not looked at", test, s -> WrongStore.listing(s, wrongly));
    }

    private static Stream<Arguments> searches() {
        return Stream.of(
                searching(
                        "sources",
                        "aSearchIsLimitedToSources",
                        q -> query(
                                q,
                                q.text(),
                                Optional.empty(),
                                q.excludeSources(),
                                q.roles(),
                                q.limit(),
                                q.offset(),
                                q.sort())),
                searching(
                        "excludeSources",
                        "sourcesAreExcluded",
                        q -> query(q, q.text(), q.sources(), List.of(), q.roles(), q.limit(), q.offset(), q.sort())),
                searching(
                        "roles",
                        "aSearchIsLimitedToRoles",
                        q -> query(
                                q,
                                q.text(),
                                q.sources(),
                                q.excludeSources(),
                                List.of(),
                                q.limit(),
                                q.offset(),
                                q.sort())),
                searching("from", "aSearchIsLimitedToASpanOfTime", q -> q.between(Optional.empty(), q.to())),
                searching("to", "aSearchIsLimitedToASpanOfTime", q -> q.between(q.from(), Optional.empty())),
                searching(
                        "limit",
                        "aSearchIsCutToItsWindow",
                        q -> query(q, q.text(), q.sources(), q.excludeSources(), q.roles(), -1, q.offset(), q.sort())),
                searching(
                        "offset",
                        "aSearchIsCutToItsWindow",
                        q -> query(q, q.text(), q.sources(), q.excludeSources(), q.roles(), q.limit(), 0, q.sort())),
                searching(
                        "sort",
                        "aSearchIsOrderedByTime",
                        q -> query(
                                q,
                                q.text(),
                                q.sources(),
                                q.excludeSources(),
                                q.roles(),
                                q.limit(),
                                q.offset(),
                                Optional.empty())),
                searching(
                        "NOT",
                        "whatStandsBehindNotMustNotBeThere",
                        q -> query(
                                q,
                                q.text().replace(" NOT ", " "),
                                q.sources(),
                                q.excludeSources(),
                                q.roles(),
                                q.limit(),
                                q.offset(),
                                q.sort())),
                searching(
                        "the end of a word",
                        "partsOfWordsAreNotFound",
                        q -> query(
                                q,
                                q.text() + "*",
                                q.sources(),
                                q.excludeSources(),
                                q.roles(),
                                q.limit(),
                                q.offset(),
                                q.sort())),
                searching(
                        "a term without blanks",
                        "threeCharactersAreFoundInsideAText",
                        q -> query(
                                q,
                                q.text().replaceAll("(\\p{IsHan})", "$1 ").strip(),
                                q.sources(),
                                q.excludeSources(),
                                q.roles(),
                                q.limit(),
                                q.offset(),
                                q.sort())),
                row(
                        "search: messages taken back stay in the index",
                        "messagesTakenBackAreNeverFound",
                        WrongStore::searchingAnIndexOfItsOwn),
                row(
                        "search: the index is not kept",
                        "whatWasStoredIsFoundAfterReopen",
                        WrongStore::searchingAnIndexOfItsOwn));
    }

    private static Arguments searching(String parameter, String test, UnaryOperator<SearchQuery> wrongly) {
        return row("search: " + parameter + " is not looked at", test, s -> WrongStore.searching(s, wrongly));
    }

    private static SearchQuery query(
            SearchQuery asked,
            String text,
            Optional<List<String>> sources,
            List<String> excluded,
            List<String> roles,
            int limit,
            int offset,
            Optional<SearchQuery.Sort> sort) {
        return new SearchQuery(text, sources, excluded, roles, limit, offset, sort, asked.viewer())
                .between(asked.from(), asked.to());
    }

    private static Stream<Arguments> privacy() {
        return Stream.of(
                row(
                        "lists: the viewer is not looked at",
                        "listsShowEachViewerExactlyWhatTheyMaySee",
                        s -> WrongStore.listing(s, q -> q.seenBy(Viewer.operator()))),
                row(
                        "lists: whoever knows an id sees it",
                        "knowingAnIdOrATitleGivesNoRight",
                        s -> WrongStore.listing(s, q -> q.text().isPresent() ? q.seenBy(Viewer.operator()) : q)),
                row(
                        "search: the viewer is not looked at",
                        "searchFindsForEachViewerExactlyWhatTheyMaySee",
                        s -> WrongStore.searching(
                                s,
                                q -> new SearchQuery(
                                        q.text(),
                                        q.sources(),
                                        q.excludeSources(),
                                        q.roles(),
                                        q.limit(),
                                        q.offset(),
                                        q.sort(),
                                        Viewer.operator()))),
                row(
                        "lists: the window is taken before the viewer is looked at",
                        "theWindowIsTakenFromWhatTheViewerMaySee",
                        WrongStore::hidingRowsAfterTheWindow),
                row(
                        "lists: only the row that is shown is looked at",
                        "aContinuationThatTheViewerMayNotSeeIsNotShownInItsRootsRow",
                        WrongStore::hidingRowsAfterTheWindow));
    }

    private static Stream<Arguments> values() {
        return Stream.of(
                storing(
                        "texts end at a zero",
                        "everyCharacterComesBack",
                        text(t -> t.contains("\0") ? t.substring(0, t.indexOf('\0')) : t)),
                storing("zeros are left out", "everyCharacterComesBack", text(t -> t.replace("\0", ""))),
                storing(
                        "characters beyond the basic plane are replaced",
                        "everyCharacterComesBack",
                        text(t -> t.replaceAll("[^\\x{0}-\\x{FFFF}]", "?"))),
                storing(
                        "characters are composed",
                        "everyCharacterComesBack",
                        text(t -> Normalizer.normalize(t, Normalizer.Form.NFC))),
                storing(
                        "upper case is lower case",
                        "namesThatLookAlikeAreOthers",
                        text(t -> t.toLowerCase(Locale.ROOT))),
                storing("blanks at the end are cut", "namesThatLookAlikeAreOthers", text(String::stripTrailing)),
                row(
                        "writers differ by more than case",
                        "writersThatLookAlikeCountTheirBatchesApart",
                        s -> WrongStore.foldingWriters(s, w -> w.toLowerCase(Locale.ROOT))),
                storing(
                        "numbers have thirty-two bits",
                        "numbersBeyondThirtyTwoBitsComeBack",
                        v -> v instanceof Long n ? (Object) Math.min(n, (long) Integer.MAX_VALUE) : v),
                storing(
                        "costs are of single precision",
                        "numbersBeyondThirtyTwoBitsComeBack",
                        v -> v instanceof Double n ? (Object) (double) (float) (double) n : v),
                storing(
                        "time begins in 1970",
                        "timesBefore1970AndAfter2038ComeBack",
                        v -> v instanceof Instant t && t.isBefore(Instant.EPOCH) ? Instant.EPOCH : v),
                storing(
                        "time ends in 2038",
                        "timesBefore1970AndAfter2038ComeBack",
                        v -> v instanceof Instant t && t.getEpochSecond() > Integer.MAX_VALUE
                                ? Instant.ofEpochSecond(Integer.MAX_VALUE)
                                : v),
                storing(
                        "texts are cut at a megabyte",
                        "longTextsAndNamesComeBack",
                        text(t -> t.substring(0, Math.min(t.length(), 1 << 20)))),
                storing(
                        "names are cut at 255 characters",
                        "longTextsAndNamesComeBack",
                        text(t -> t.length() > 255 && t.length() < 1000 ? t.substring(0, 255) : t)),
                row("large batches are split", "aLargeBatchIsOneBatch", WrongStore::splittingLargeBatches),
                row(
                        "a thousand messages are hidden at once at most",
                        "aLargeBatchIsOneBatch",
                        s -> WrongStore.changing(
                                s,
                                c -> c instanceof Change.HideMessages h
                                                && h.messages().size() > 1000
                                        ? List.of(new Change.HideMessages(
                                                h.session(), h.messages().subList(0, 1000), h.as()))
                                        : List.of(c))),
                row("the last hundred writers are known", "noWriterIsForgotten", WrongStore::forgettingWriters),
                row("chains have ten links", "aChainOfManyContinuationsIsOneRow", WrongStore::cuttingChains),
                row(
                        "a stream that fails keeps its lock",
                        "whoeverFailsInTheMiddleOfAStreamHarmsNobody",
                        WrongStore::keepingTheLockOfAFailedStream));
    }

    private static Arguments storing(String wrong, String test, UnaryOperator<Object> leaf) {
        return row(wrong, test, s -> WrongStore.storing(s, leaf));
    }

    private static UnaryOperator<Object> text(UnaryOperator<String> wrongly) {
        return value -> value instanceof String text ? wrongly.apply(text) : value;
    }

    private static Stream<Arguments> pages() {
        return Stream.of(
                paging("lanes", "lanesComeLatestActivityFirst"),
                paging("history", "historyComesLastAppendedFirst"),
                paging("turns", "turnsOfALaneComeLatestStartFirst"),
                paging("deliveries", "deliveriesComeLastStoredFirst"),
                row(
                        "a search for lanes ends behind the first ones",
                        "aTextIsFoundOnOneOfThePagesHoweverFewLanesEachLooksAt",
                        WrongStore::endingASearchEarly));
    }

    private static Arguments paging(String list, String test) {
        return row("pages of " + list + " leave a row out between them", test, WrongStore::skippingARowBetweenPages);
    }

    private static Stream<Arguments> concurrent() {
        return Stream.of(
                row(
                        "usage is added outside the lock",
                        "usageOfManyThreadsAddsUp",
                        WrongStore::addingUsageBeforeItLocks),
                row(
                        "messages are counted outside the lock",
                        "aMessageThatManyThreadsAppendIsStoredAndCountedOnce",
                        WrongStore::countingMessagesBeforeItLocks),
                row(
                        "an interrupted thread closes the file",
                        "anInterruptedThreadHarmsNobodyElse",
                        WrongStore::closingForInterrupts),
                row(
                        "readers see what is not committed yet",
                        "readersNeverSeeHalfABatch",
                        WrongStore::applyingChangesOneByOne),
                row("a touch overwrites the others", "touchesOfManyThreadsAddUp", WrongStore::losingUpdates),
                row(
                        "batches are applied twice",
                        "aBatchGivenByManyThreadsIsAppliedOnce",
                        WrongStore::duplicatingBatches),
                row(
                        "epochs are not looked at",
                        "onlyOneOfManyWinsAnEpoch",
                        s -> WrongStore.ignoringPreconditions(s, Precondition.LaneEpoch.class)),
                row(
                        "a refused batch is stored in part",
                        "aRefusedBatchOfOneThreadLeavesTheOthersAlone",
                        WrongStore::applyingChangesOneByOne),
                row(
                        "one writer's batches are lost",
                        "noCommitIsLost",
                        s -> WrongStore.swallowingFailures(
                                s, b -> b.id().writer().equals("w3"))));
    }

    static Stream<Arguments> races() {
        return Stream.of(
                lookingBeforeLocking(Precondition.LaneEpoch.class, "oneOfTwoMovesALane"),
                lookingBeforeLocking(Precondition.TurnClaimed.class, "oneOfTwoEndsATurn"),
                lookingBeforeLocking(Precondition.NotReceived.class, "oneOfTwoReceivesAMessage"),
                lookingBeforeLocking(Precondition.StillAdmitted.class, "oneOfTwoTakesAMessageOutOfTheQueue"),
                lookingBeforeLocking(Precondition.TitleFree.class, "oneOfTwoGetsATitle"),
                lookingBeforeLocking(Precondition.SessionExists.class, "oneOfTwoDeletesASession"),
                lookingBeforeLocking(Precondition.SessionAbsent.class, "oneOfTwoCreatesASession"),
                lookingBeforeLocking(Precondition.NotCurrent.class, "aSessionIsDeletedOrPointedAt"),
                lookingBeforeLocking(Precondition.HoldFree.class, "oneOfTwoTakesAFreeLane"),
                lookingBeforeLocking(Precondition.HeldBy.class, "oneOfTwoTakesALaneFromItsHolder"),
                lookingBeforeLocking(Precondition.LastOrdinal.class, "oneOfTwoGetsAPlaceInTheQueue"));
    }

    private static Arguments lookingBeforeLocking(Class<?> kind, String test) {
        return row(
                kind.getSimpleName() + " is looked at before the lock",
                test,
                s -> WrongStore.lookingBeforeItLocks(s, kind));
    }

    private static Stream<Arguments> durable() {
        return Stream.of(
                row(
                        "writers are forgotten by a crash",
                        "aBatchIsRecognisedAfterACrash",
                        WrongStore::duplicatingBatches),
                row(
                        "the index is forgotten by a crash",
                        "whatIsCommittedIsFoundAfterACrash",
                        WrongStore::searchingAnIndexOfItsOwn));
    }

    @Test
    void eachChangeEditAndPreconditionIsGotWrongBySomeStore() {
        Set<String> wrong = defects().map(row -> String.valueOf(row.get()[0])).collect(Collectors.toSet());
        Set<String> raced = races().map(row -> String.valueOf(row.get()[0])).collect(Collectors.toSet());

        assertThat(kinds(Change.class).filter(kind -> kind != Change.EditSession.class))
                .allSatisfy(kind -> assertThat(wrong).contains(kind.getSimpleName() + " does nothing"));
        assertThat(kinds(SessionEdit.class))
                .allSatisfy(kind -> assertThat(wrong).contains(kind.getSimpleName() + " does nothing"));
        assertThat(kinds(Precondition.class)).allSatisfy(kind -> {
            assertThat(wrong).contains(kind.getSimpleName() + " is not looked at");
            assertThat(raced).contains(kind.getSimpleName() + " is looked at before the lock");
        });
    }

    private static Stream<Class<?>> kinds(Class<?> family) {
        return Arrays.stream(family.getPermittedSubclasses());
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("defects")
    void aWrongStoreFailsTheTestNamedForIt(String wrong, String test, UnaryOperator<Storage> wrongly) {
        Events events = run(directory -> new WrongHarness(right(directory), wrongly, () -> {}), method(test));

        events.assertStatistics(counts -> counts.started(1).failed(1));
    }

    @Test
    void aTestThatFailsSaysInWordsWhatShouldHoldAndWhatWasDone() {
        UnaryOperator<Storage> wrongly = s -> WrongStore.ignoringPreconditions(s, Precondition.NotReceived.class);
        Events events = run(
                directory -> new WrongHarness(right(directory), wrongly, () -> {}), method("aMessageIsReceivedOnce"));

        assertThat(failure(events))
                .startsWith("What should hold: A message is received once.\nWhat was done:\n  committed PutInbound[")
                .contains(", on the condition that NotReceived[message=PlatformMessage[")
                .contains("\nWhat was seen:\n");
    }

    @ParameterizedTest(name = "{1}")
    @MethodSource("defects")
    void theRightStorePassesIt(String wrong, String test) {
        run(WrongStoresTest::right, method(test))
                .assertStatistics(counts -> counts.started(1).succeeded(1));
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("races")
    void aStoreThatLooksBeforeItLocksFailsTheRaceNamedForIt(String wrong, String test, UnaryOperator<Storage> wrongly) {
        Events events = run(directory -> new WrongHarness(right(directory), wrongly, () -> {}), method(test));

        events.assertStatistics(counts -> counts.started(1).failed(1));
        assertThat(failure(events)).contains("committed at once").contains("one must win");
    }

    /** A machine that runs one thread at a time has no races, and says so. */
    @ParameterizedTest(name = "{1}")
    @MethodSource("races")
    void theRightStoreFailsNoRace(String wrong, String test) {
        run(WrongStoresTest::right, method(test))
                .assertStatistics(counts -> counts.started(1).failed(0));
    }

    @Test
    void aStoreThatLosesWhatItCommittedFailsTheDurableLevel() {
        for (String test : List.of("whatIsCommittedOutlivesACrash", "writingGoesOnAfterACrash")) {
            Events events = run(ForgetfulHarness::new, method(test));
            events.assertStatistics(counts -> counts.started(1).failed(1));
        }
    }

    static Stream<Arguments> wrongMedia() {
        Function<Path, StorageHarness> elsewhere = WritingElsewhereHarness::new;
        return Stream.of(
                medium(
                        "the last commit was not synced",
                        "whatIsCommittedOutlivesACrash",
                        d -> new UnsyncedHarness(d, 0)),
                medium("the last commit was not synced", "writingGoesOnAfterACrash", d -> new UnsyncedHarness(d, 0)),
                medium(
                        "half of the last commit was synced",
                        "whatIsCommittedOutlivesACrash",
                        d -> new UnsyncedHarness(d, 1)),
                medium(
                        "a killed process takes its commits along",
                        "aProcessKilledBetweenTwoWritesLosesAndHalvesNothing",
                        elsewhere),
                medium(
                        "processes do not see each other's commits",
                        "processesWriteAtOnceWithoutLosingAnything",
                        elsewhere),
                medium(
                        "a store is made for reading",
                        "aStoreThatDoesNotExistIsNotMadeForReading",
                        WrongStoresTest::right));
    }

    private static Arguments medium(String wrong, String test, Function<Path, StorageHarness> given) {
        return Arguments.of(wrong, test, given);
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("wrongMedia")
    void aStoreOnAWrongMediumFailsTheTestNamedForIt(String wrong, String test, Function<Path, StorageHarness> given) {
        run(given, method(test)).assertStatistics(counts -> counts.started(1).failed(1));
    }

    @Test
    void aStoreThatSwallowsFailuresFailsTheDurableLevel() {
        AtomicBoolean failing = new AtomicBoolean();
        Events swallowed = run(
                directory -> new FaultyHarness(
                        right(directory), s -> WrongStore.swallowingFailures(s, b -> failing.get()), failing),
                method("failuresOfTheMediumAreToldAndLoseNothing"));
        swallowed.assertStatistics(counts -> counts.started(1).failed(1));

        Events told = run(
                directory -> new FaultyHarness(
                        right(directory),
                        s -> WrongStore.swallowingFailures(s, b -> {
                            if (failing.get()) {
                                throw new StorageUnavailable("The disk is full; free some space.", null);
                            }
                            return false;
                        }),
                        failing),
                method("failuresOfTheMediumAreToldAndLoseNothing"));
        told.assertStatistics(counts -> counts.started(1).succeeded(1));
    }

    @Test
    void aStoreThatFailsInARareCaseFailsARandomRunThatIsShown() {
        Events events = run(
                directory -> new WrongHarness(
                        right(directory),
                        s -> WrongStore.ignoringChanges(
                                s,
                                c -> c instanceof Change.HideMessages h
                                        && h.as() == State.COMPACTED
                                        && h.messages().size() > 1),
                        () -> {}),
                selectMethod(Case.class, "aRandomRunReadsLikeTheReference", Path.class));

        events.assertStatistics(counts -> counts.started(1).failed(1));
        assertThat(failure(events))
                .contains("seed")
                .contains("HideMessages")
                .contains("COMPACTED")
                .contains("The reads should say");
    }

    @Test
    void damageThatTheStoreDoesNotSeeFailsTheTest() {
        Events events = run(
                directory -> new WrongHarness(right(directory), s -> s, () -> {
                    throw new AssertionError("The file is torn.");
                }),
                method("anEmptyBatchIsCommitted"));

        events.assertStatistics(counts -> counts.started(1).failed(1));
        assertThat(failure(events)).contains("torn");
    }

    @Test
    void aReportSaysWhatPassedAndWhatFailedOnEachLevel(@TempDir Path reports) throws IOException {
        harness = directory -> new WrongHarness(right(directory), WrongStore::orderingByTime, () -> {});
        engine(reports.toString())
                .selectors(
                        method("orderIsTheOrderOfStoringWhateverTheClockSaid"),
                        method("anEmptyBatchIsCommitted"),
                        method("aBlankQueryFindsNothing"))
                .execute();

        String report = Files.readString(reports.resolve("contract-report-" + Case.class.getName() + ".json"));
        assertThat(report)
                .contains("\"backend\": \"wrong 1.0\"")
                .contains("\"test_class\": \"" + Case.class.getName())
                .contains("\"kit\": \"" + ContractReport.kitVersion())
                .contains("\"core\", \"passed\": 1, \"failed\": [\"orderIsTheOrderOfStoringWhateverTheClockSaid")
                .contains("\"search\", \"passed\": 1, \"failed\": []")
                .contains("\"missing\": [")
                .contains("\"passed\": []")
                .contains("\"capabilities\": {\"declared\": [\"DURABLE\", \"JOURNAL\", \"RANKED_SEARCH\","
                        + " \"READ_BESIDE_WRITER\", \"SEARCH\", \"SHARED\", \"TITLES\"]")
                .contains("\"lacking\": []}");
        assertThat(ContractReport.kitVersion()).matches("[0-9]+\\..*");
    }

    /** One contract of many, all of whose tests pass or are skipped for a reason. */
    static class Named implements MetaContract {
        @Override
        public StorageHarness harness(Path directory) {
            return new WrongHarness(right(directory), s -> s, () -> {});
        }

        @Override
        public Set<Capability> capabilities() {
            return Set.of(Capability.SHARED);
        }

        @Core
        void howlsAtTheMoon() {
            abort("The moon is not full.");
        }
    }

    @Test
    void aReportOfAPartPassesNoLevelAndNamesTheBackendItsCapabilitiesAndWhatWasNotRun(@TempDir Path reports)
            throws IOException {
        PrintStream console = System.out;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try {
            engine(reports.toString()).selectors(selectClass(Named.class)).execute();
        } finally {
            System.setOut(console);
        }

        assertThat(printed.toString(StandardCharsets.UTF_8))
                .startsWith("Contracts of Parley " + ContractReport.kitVersion() + " on wrong 1.0\n")
                .contains("  levels passed: none\n")
                .contains("  contracts run: MetaContract; the levels are those of StorageContract\n")
                .containsPattern("core +[0-9]+ passed +0 failed +1 skipped +[0-9]+ not run\n")
                .containsPattern("durable +0 passed +0 failed +0 skipped +[0-9]+ not run\n")
                .contains(
                        "  capabilities: SHARED; lacking: DURABLE, JOURNAL, RANKED_SEARCH, READ_BESIDE_WRITER, SEARCH, TITLES\n")
                .contains("  skipped 1: The moon is not full.\n");
        assertThat(Files.readString(reports.resolve("contract-report-" + Named.class.getName() + ".json")))
                .contains("\"backend\": \"wrong 1.0\"")
                .contains("\"passed\": []")
                .contains("\"contracts\": [\"MetaContract\"]")
                .contains("\"whole\": \"StorageContract\"")
                .contains("\"capabilities\": {\"declared\": [\"SHARED\"], \"lacking\": [\"DURABLE\", \"JOURNAL\"")
                .contains("\"skipped\": [{\"test\": \"howlsAtTheMoon\", \"why\": \"The moon is not full.\"}]");
    }

    // Syncs

    /** A store that syncs behind every {@code each}-th batch. */
    private static StorageHarness syncing(Path directory, int each) {
        AtomicInteger batches = new AtomicInteger();
        return new WrongHarness(
                right(directory), s -> WrongStore.noting(s, batch -> batches.incrementAndGet()), () -> {}) {
            @Override
            public OptionalLong syncs() {
                return OptionalLong.of(batches.get() / each);
            }
        };
    }

    @Test
    void aStoreThatSyncsEverySecondBatchFails() {
        run(directory -> syncing(directory, 1), method("theStoreSyncsForEachCommit"))
                .assertStatistics(counts -> counts.succeeded(1).failed(0));

        Events events = run(directory -> syncing(directory, 2), method("theStoreSyncsForEachCommit"));
        events.assertStatistics(counts -> counts.started(1).failed(1));
        assertThat(failure(events)).contains("syncs after batch ");
    }

    // Silenced tests

    static class Silencing implements LedgerContract {
        @Override
        public StorageHarness harness(Path directory) {
            return right(directory);
        }

        @Override
        public void anEmptyBatchIsCommitted(StoreUnderTest store) {
            assertThat(store).isNotNull();
        }
    }

    static class Overriding implements LedgerContract {
        @Override
        public StorageHarness harness(Path directory) {
            return right(directory);
        }

        @Core
        @Override
        public void anEmptyBatchIsCommitted(StoreUnderTest store) {
            LedgerContract.super.anEmptyBatchIsCommitted(store);
        }
    }

    @Test
    void aSilencedTestFailsItsClass() {
        assertThat(NoSilencedTests.silencedIn(Silencing.class))
                .containsExactly("LedgerContract.anEmptyBatchIsCommitted");
        assertThat(NoSilencedTests.silencedIn(Overriding.class)).isEmpty();
        assertThat(NoSilencedTests.silencedIn(Case.class)).isEmpty();

        Events containers =
                engine("none").selectors(selectClass(Silencing.class)).execute().containerEvents();
        containers.assertStatistics(counts -> counts.failed(1));
        assertThat(failure(containers)).contains("anEmptyBatchIsCommitted");
    }

    // Capabilities

    static class LackingEverything extends Case {
        @Override
        public Set<Capability> capabilities() {
            return Set.of();
        }
    }

    @Test
    void bothSidesOfACapabilityAreTested() {
        harness = WrongStoresTest::right;
        for (String test : List.of(
                "theBestMatchComesFirst",
                "batchesGetRisingPlacesFromOne",
                "aTitleCanMoveWithinABatch",
                "aReaderFindsWhatTheWriterBesideItHasCommitted")) {
            engine("none")
                    .selectors(selectMethod(LackingEverything.class, test, StoreUnderTest.class))
                    .execute()
                    .testEvents()
                    .assertStatistics(counts -> counts.started(0).skipped(1));
        }
        for (String test : List.of("aBackendWithoutAJournalOffersNone", "aStoreInUseIsNotOpenedForWritingOnceMore")) {
            engine("none")
                    .selectors(selectMethod(LackingEverything.class, test, StoreUnderTest.class))
                    .execute()
                    .testEvents()
                    .assertStatistics(counts -> counts.started(1).failed(1));
            run(WrongStoresTest::right, method(test)).assertStatistics(counts -> counts.skipped(1));
        }
    }

    /** Says that it keeps no titles and searches nothing, as its store does. */
    static class Partial extends Case {
        @Override
        public Set<Capability> capabilities() {
            return Set.of(Capability.SHARED, Capability.JOURNAL, Capability.READ_BESIDE_WRITER);
        }
    }

    static Stream<Arguments> partialDefects() {
        return Stream.of(
                row(
                        "titles are dropped",
                        "aStoreWithoutTitlesRefusesABatchThatGivesOne",
                        s -> WrongStore.droppingTitles(s)),
                row(
                        "what should be refused is stored in part",
                        "aStoreWithoutTitlesRefusesABatchThatGivesOne",
                        s -> WrongStore.applyingChangesOneByOne(PartialStore.of(s))),
                row("titles are kept after all", "theStoreSaysWhetherItKeepsTitles", s -> s),
                row("searches find nothing", "aStoreWithoutSearchRefusesEachQuery", WrongStore::findingNothing),
                row("messages are found after all", "theStoreSaysWhetherItSearches", s -> s));
    }

    @ParameterizedTest(name = "where {0}, {1} fails")
    @MethodSource("partialDefects")
    void aPartialStoreThatIsNotHonestFails(String wrong, String test, UnaryOperator<Storage> wrongly) {
        harness = WrongStoresTest::partial;
        engine("none")
                .selectors(selectMethod(Partial.class, test, StoreUnderTest.class))
                .execute()
                .testEvents()
                .assertStatistics(counts -> counts.succeeded(1).failed(0));
        harness = directory -> new WrongHarness(right(directory), wrongly, () -> {});
        Events events = engine("none")
                .selectors(selectMethod(Partial.class, test, StoreUnderTest.class))
                .execute()
                .testEvents();
        events.assertStatistics(counts -> counts.started(1).failed(1));
        assertThat(failure(events)).as(wrong).doesNotContain("Expecting code");
    }

    private static StorageHarness partial(Path directory) {
        return new WrongHarness(right(directory), PartialStore::of, () -> {});
    }

    /** A capability that is claimed and not there fails as one that is there and not claimed. */
    @Test
    void aStoreThatClaimsWhatItLacksFails() {
        for (String test : List.of(
                "theStoreSaysWhetherItSearches", "theStoreSaysWhetherItKeepsTitles", "aBlankQueryFindsNothing")) {
            run(WrongStoresTest::partial, method(test))
                    .assertStatistics(counts -> counts.started(1).failed(1));
        }
        run(
                        directory -> new WrongHarness(right(directory), s -> s, () -> {}) {
                            @Override
                            public Storage open(StorageSettings.Mode mode) {
                                if (mode == StorageSettings.Mode.READ_ONLY) {
                                    throw new StorageUnavailable("Somebody has it.", null);
                                }
                                return super.open(mode);
                            }
                        },
                        method("aReaderFindsWhatTheWriterBesideItHasCommitted"))
                .assertStatistics(counts -> counts.started(1).failed(1));
        engine("none")
                .selectors(selectMethod(
                        LackingEverything.class, "aReaderBesideAWriterIsRefusedAndHarmsNothing", StoreUnderTest.class))
                .execute()
                .testEvents()
                .assertStatistics(counts -> counts.started(1).failed(1));
    }

    private static EngineTestKit.Builder engine(String report) {
        return EngineTestKit.engine("junit-jupiter").configurationParameter("parley.contracts.report", report);
    }

    private static DiscoverySelector method(String name) {
        return selectMethod(Case.class, name, StoreUnderTest.class);
    }

    private static Events run(Function<Path, StorageHarness> given, DiscoverySelector selector) {
        harness = given;
        return engine("none").selectors(selector).execute().testEvents();
    }

    private static String failure(Events events) {
        Event finished = events.failed().list().get(0);
        return String.valueOf(finished.getRequiredPayload(TestExecutionResult.class)
                .getThrowable()
                .orElseThrow()
                .getMessage());
    }

    /** Hands out a store with something wrong. */
    private static class WrongHarness implements StorageHarness {
        private final StorageHarness right;
        private final UnaryOperator<Storage> wrongly;
        private final Runnable damage;

        WrongHarness(StorageHarness right, UnaryOperator<Storage> wrongly, Runnable damage) {
            this.right = right;
            this.wrongly = wrongly;
            this.damage = damage;
        }

        @Override
        public Storage open(StorageSettings.Mode mode) {
            return wrongly.apply(right.open(mode));
        }

        @Override
        public void crash() {
            right.crash();
        }

        @Override
        public Optional<Journal> openJournal() {
            return right.openJournal();
        }

        @Override
        public String backend() {
            return "wrong 1.0";
        }

        @Override
        public List<String> damage() {
            damage.run();
            return right.damage();
        }

        @Override
        public Optional<Elsewhere> elsewhere() {
            return right.elsewhere();
        }

        @Override
        public List<Fault> faults() {
            return right.faults();
        }

        @Override
        public void close() {
            right.close();
        }
    }

    /** Loses everything with the process. */
    private static final class ForgetfulHarness extends WrongHarness {
        private StorageHarness current;

        ForgetfulHarness(Path directory) {
            super(right(directory), s -> s, () -> {});
            this.current = right(directory);
        }

        @Override
        public Storage open(StorageSettings.Mode mode) {
            return current.open(mode);
        }

        @Override
        public void crash() {
            current = right(Path.of("lost"));
        }
    }

    /** Loses the last commit with the process, or what stands behind its first changes. */
    private static final class UnsyncedHarness extends WrongHarness {
        private final int synced;
        private final List<Batch> committed = new ArrayList<>();
        private StorageHarness current;

        UnsyncedHarness(Path directory, int synced) {
            super(right(directory), s -> s, () -> {});
            this.synced = synced;
            this.current = right(directory);
        }

        @Override
        public Storage open(StorageSettings.Mode mode) {
            return WrongStore.noting(current.open(mode), committed::add);
        }

        @Override
        public void crash() {
            current = right(Path.of("after-crash"));
            Batch last = committed.remove(committed.size() - 1);
            committed.add(new Batch(
                    last.id(),
                    last.preconditions(),
                    last.changes().subList(0, Math.min(synced, last.changes().size()))));
            try (Storage left = current.open(StorageSettings.Mode.READ_WRITE)) {
                committed.stream().filter(b -> !b.changes().isEmpty()).forEach(left.ledger()::commit);
            }
        }
    }

    /** What another process commits is not found here. */
    private static final class WritingElsewhereHarness extends WrongHarness {
        WritingElsewhereHarness(Path directory) {
            super(right(directory), s -> s, () -> {});
        }

        @Override
        public Optional<Elsewhere> elsewhere() {
            return Optional.of(new Elsewhere(MemoryStorageProvider.class.getName(), "elsewhere", Path.of(".")));
        }
    }

    /** Has a medium that fails while it is told to. */
    private static final class FaultyHarness extends WrongHarness {
        private final AtomicBoolean failing;

        FaultyHarness(StorageHarness right, UnaryOperator<Storage> wrongly, AtomicBoolean failing) {
            super(right, wrongly, () -> {});
            this.failing = failing;
        }

        @Override
        public List<Fault> faults() {
            return List.of(new Fault() {
                @Override
                public String name() {
                    return "disk full";
                }

                @Override
                public void begin() {
                    failing.set(true);
                }

                @Override
                public void end() {
                    failing.set(false);
                }
            });
        }
    }
}
