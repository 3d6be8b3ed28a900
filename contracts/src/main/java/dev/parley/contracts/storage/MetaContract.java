package dev.parley.contracts.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.contracts.level.Core;
import dev.parley.domain.change.Change;
import dev.parley.domain.source.CursorName;
import dev.parley.domain.source.Platform;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** {@link dev.parley.application.port.Meta}, and the change that writes named values. */
public interface MetaContract extends StoreContract {
    @Core
    default void aValueThatWasNeverStoredIsAbsent(StoreUnderTest store) {
        assertThat(store.meta().get("no such name")).isEmpty();
        assertThat(store.meta().all()).doesNotContainKey("no such name");
    }

    @Core
    default void aValueComesBackAsItWasStored(StoreUnderTest store) {
        store.commit(
                new Change.PutMeta("a name: with = signs", "line one\nline two 🚀"), new Change.PutMeta("empty", ""));

        store.reopen();

        assertThat(store.meta().get("a name: with = signs")).hasValue("line one\nline two 🚀");
        assertThat(store.meta().get("empty")).hasValue("");
    }

    @Core
    default void storingAValueAgainReplacesIt(StoreUnderTest store) {
        store.commit(new Change.PutMeta("k", "one"), new Change.PutMeta("k", "two"));
        store.commit(new Change.PutMeta("k", "three"));

        assertThat(store.meta().get("k")).hasValue("three");
    }

    @Core
    default void namesDifferByCase(StoreUnderTest store) {
        store.commit(new Change.PutMeta("key", "lower"), new Change.PutMeta("KEY", "upper"));

        assertThat(store.meta().get("key")).hasValue("lower");
        assertThat(store.meta().get("KEY")).hasValue("upper");
    }

    @Core
    default void allValuesComeByName(StoreUnderTest store) {
        store.commit(
                new Change.PutMeta("test.b", "2"),
                new Change.PutMeta("test.a", "1"),
                new Change.PutMeta("test.c", "3"));

        assertThat(store.meta().all()).containsEntry("test.a", "1").containsEntry("test.b", "2");
        assertThat(List.copyOf(store.meta().all().keySet())).isSorted();
    }

    // Cursors

    private static CursorName cursor(String account, String name) {
        return new CursorName(Platform.TELEGRAM, account, name);
    }

    @Core
    default void aCursorStandsWhereItWasPutLast(StoreUnderTest store) {
        assertThat(store.meta().cursor(cursor("bot-1", "updates"))).isEmpty();
        assertThat(store.meta().cursors()).isEmpty();

        store.commit(new Change.PutCursor(cursor("bot-1", "updates"), Optional.of("5")));
        store.commit(
                new Change.PutCursor(cursor("bot-1", "updates"), Optional.of("9")),
                new Change.PutCursor(cursor("bot-1", "updates"), Optional.of("7 🚀")));
        store.reopen();

        assertThat(store.meta().cursor(cursor("bot-1", "updates"))).hasValue("7 🚀");
    }

    @Core
    default void accountsAndPlatformsHaveCursorsOfTheirOwn(StoreUnderTest store) {
        CursorName other = new CursorName(Platform.SLACK, "bot-1", "updates");
        store.commit(
                new Change.PutCursor(cursor("bot-2", "updates"), Optional.of("2")),
                new Change.PutCursor(cursor("bot-1", "updates"), Optional.of("1")),
                new Change.PutCursor(cursor("bot-1", "channel:7"), Optional.of("3")),
                new Change.PutCursor(other, Optional.of("4")));

        store.reopen();

        assertThat(store.meta().cursors())
                .containsExactly(
                        Map.entry(other, "4"),
                        Map.entry(cursor("bot-1", "channel:7"), "3"),
                        Map.entry(cursor("bot-1", "updates"), "1"),
                        Map.entry(cursor("bot-2", "updates"), "2"));
    }

    @Core
    default void aCursorIsTakenAway(StoreUnderTest store) {
        store.commit(
                new Change.PutCursor(cursor("bot-1", "a"), Optional.of("1")),
                new Change.PutCursor(cursor("bot-1", "b"), Optional.of("2")));
        store.commit(
                new Change.PutCursor(cursor("bot-1", "a"), Optional.empty()),
                new Change.PutCursor(cursor("bot-1", "never"), Optional.empty()));

        store.reopen();

        assertThat(store.meta().cursors()).containsExactly(Map.entry(cursor("bot-1", "b"), "2"));
    }
}
