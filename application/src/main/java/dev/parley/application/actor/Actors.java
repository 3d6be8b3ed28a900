package dev.parley.application.actor;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * The actors of one kind that are there now, by key: made when something is to be done, forgotten when they have retired. Safe for
 * concurrent use.
 *
 * @param <K> what tells them apart
 * @param <A> what they are
 */
public final class Actors<K extends Comparable<? super K>, A extends Actor> {
    private final ConcurrentSkipListMap<K, A> actors = new ConcurrentSkipListMap<>();
    private final BiFunction<K, Consumer<? super Actor>, A> make;

    /** No actors yet; {@code make} makes one, given whom it tells that it has retired. */
    public Actors(BiFunction<K, Consumer<? super Actor>, A> make) {
        this.make = make;
    }

    /** Runs a task as one of the actor's own, behind the others. */
    public void on(K key, Consumer<? super A> task) {
        on(key, task, actor -> true);
    }

    /** Runs a task as one of the actor's own, unless the actor does not want it; asked on the caller's thread. */
    public void on(K key, Consumer<? super A> task, Predicate<? super A> wanted) {
        while (true) {
            A actor = actors.get(key);
            if (actor == null) {
                A made = make.apply(key, retired -> actors.remove(key, retired));
                A other = actors.putIfAbsent(key, made);
                actor = other == null ? made : other;
            }
            A chosen = actor;
            if (!wanted.test(chosen) || chosen.post(() -> task.accept(chosen))) {
                return;
            }
            actors.remove(key, chosen);
        }
    }

    /** Returns an actor that is there; absent where nothing is to be done. */
    public Optional<A> find(K key) {
        return Optional.ofNullable(actors.get(key));
    }

    /** Returns the actors there are, by key. */
    public List<A> all() {
        return List.copyOf(actors.values());
    }

    /** Runs a task on each actor there is, by key. */
    public void onEach(Consumer<? super A> task) {
        List.copyOf(actors.keySet()).forEach(key -> on(key, task));
    }
}
