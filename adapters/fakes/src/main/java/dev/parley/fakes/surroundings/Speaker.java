package dev.parley.fakes.surroundings;

import dev.parley.domain.key.SessionKey;
import dev.parley.domain.source.Platform;
import dev.parley.domain.turn.PlatformMessage;
import dev.parley.fakes.proof.Said;
import dev.parley.fakes.proof.Tokens;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/** Somebody who talks in one lane, one thing after the other. Safe for concurrent use. */
abstract class Speaker {
    final Crowd crowd;
    final String name;
    final Platform platform;
    final String chat;
    private final ReentrantLock lock = new ReentrantLock();
    private final List<Utterance> said = new ArrayList<>();

    /**
     * Somebody who has said nothing yet.
     *
     * @param crowd who else talks
     * @param name what their words are marked with
     * @param platform where they talk
     * @param chat the chat they talk in
     */
    Speaker(Crowd crowd, String name, Platform platform, String chat) {
        this.crowd = crowd;
        this.name = name;
        this.platform = platform;
        this.chat = chat;
    }

    /** Returns the lane that belongs to it, once something was said. */
    abstract SessionKey key();

    /** Hands it in, for the first time or again; returns whether the next thing may be said. */
    abstract boolean hand(Utterance each);

    /** Returns the platform's name for it. */
    abstract String id(Utterance each);

    /** Returns the ids that the gateway has answered with. */
    abstract Set<String> ids(Utterance each);

    /** Returns whether nothing waits to be handed in again. */
    final boolean isContent() {
        lock.lock();
        try {
            return pending().isEmpty();
        } finally {
            lock.unlock();
        }
    }

    /** Returns everything that was said, in order. */
    final List<Said> said() {
        lock.lock();
        try {
            return said.stream()
                    .map(each -> new Said(
                            key(),
                            each.number,
                            each.kind,
                            each.token,
                            new PlatformMessage(platform, chat, id(each)),
                            ids(each),
                            !each.acknowledgements.isEmpty()))
                    .toList();
        } finally {
            lock.unlock();
        }
    }

    private Optional<Utterance> pending() {
        return said.isEmpty() || !said.get(said.size() - 1).acknowledgements.isEmpty()
                ? Optional.empty()
                : Optional.of(said.get(said.size() - 1));
    }

    /** Says something, or hands in again what was said; does nothing where another thread does. */
    final void step() {
        if (!lock.tryLock()) {
            return;
        }
        try {
            Optional<Utterance> pending = pending();
            if (pending.isPresent()) {
                hand(pending.get());
            } else if (!said.isEmpty() && (!crowd.isTalking() || crowd.chance().percent(12))) {
                crowd.redelivers();
                hand(crowd.chance().of(said.subList(Math.max(0, said.size() - 8), said.size())));
            } else {
                talk();
            }
        } finally {
            lock.unlock();
        }
    }

    private void talk() {
        int burst = crowd.chance().percent(25) ? 1 + crowd.chance().below(4) : 1;
        for (int i = 0; i < burst; i++) {
            Utterance next = next();
            said.add(next);
            if (!hand(next)) {
                return;
            }
        }
    }

    private Utterance next() {
        int number = said.size() + 1;
        int mood = number == 1 ? 100 : crowd.chance().below(100);
        if (mood < 3) {
            return new Utterance(number, Said.Kind.NEW, "", "/new");
        }
        if (mood < 6) {
            return new Utterance(number, Said.Kind.STOP, "", "/stop");
        }
        if (mood < 8) {
            return new Utterance(number, Said.Kind.STATUS, "", "/status");
        }
        String token = Tokens.of(name, number);
        return mood < 16
                ? new Utterance(number, Said.Kind.QUEUED, token, "/queue later " + token)
                : new Utterance(number, Said.Kind.TEXT, token, "say " + token);
    }

    /** Notes that it was acknowledged in these words; returns true. */
    final boolean acknowledge(Utterance each, Set<String> words) {
        if (each.acknowledgements.isEmpty()) {
            crowd.acknowledges();
        }
        each.acknowledgements.addAll(words);
        return true;
    }
}
