package dev.parley.contracts.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.contracts.level.Core;
import dev.parley.domain.change.Change;
import java.util.List;

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
}
