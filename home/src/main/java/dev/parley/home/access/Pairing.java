package dev.parley.home.access;

import dev.parley.domain.key.AliasLookup;
import dev.parley.domain.key.WhatsAppIdentity;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.SessionSource;
import dev.parley.home.HomeDirectory;
import dev.parley.home.WhatsAppAliasFiles;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Who asked to be let in and who was. A code is good for an hour; a platform has at most three people waiting; a person is given a code
 * at most every ten minutes; after five wrong codes in a row a platform's codes are not taken and not given out for an hour. Safe for
 * concurrent use, by several processes too; each method throws {@code StorageUnavailable} or {@code StorageCorrupt} where the file
 * cannot be read or written.
 */
public final class Pairing {
    static final Duration GOOD_FOR = Duration.ofHours(1);
    static final Duration ASKED_EVERY = Duration.ofMinutes(10);
    static final Duration LOCKED_FOR = Duration.ofHours(1);
    static final int WAITING = 3;
    static final int WRONG = 5;

    /** People of other networks whom a bridge shows on Matrix. */
    private static final Pattern GHOST = Pattern.compile(
            "@(_|(telegram|whatsapp|signal|discord|slack|facebook|instagram|imessage|irc|googlechat|gmessages|twitter|linkedin)_).*");

    private final PairingFile file;
    private final AliasLookup aliases;
    private final InstantSource clock;
    private final Codes codes;

    /** Pairing on this home. */
    public Pairing(HomeDirectory home, InstantSource clock) {
        this(home, clock, new Codes());
    }

    Pairing(HomeDirectory home, InstantSource clock, Codes codes) {
        this.file = new PairingFile(home);
        this.aliases = new WhatsAppAliasFiles(home);
        this.clock = clock;
        this.codes = codes;
    }

    /** What became of a code that the operator typed. */
    public sealed interface Approval {
        /**
         * Its owner is let in.
         *
         * @param who they
         */
        record LetIn(Person who) implements Approval {}

        /**
         * Nobody has it, or not any more.
         *
         * @param left how many more wrong ones are taken before the platform is locked
         */
        record Unknown(int left) implements Approval {}

        /**
         * Too many wrong ones were typed.
         *
         * @param until when codes are taken again
         */
        record Locked(Instant until) implements Approval {}
    }

    /** Returns whether somebody was let in. */
    public boolean isPaired(SessionSource source) {
        List<Person> known = people(source);
        return !known.isEmpty()
                && file.read().paired().stream()
                        .anyMatch(paired -> known.stream().anyMatch(paired.who()::isSame));
    }

    /** Gives somebody a new code; absent where they get none now: they have one, too many wait, or they are nobody to be let in. */
    public Optional<String> ask(SessionSource source) {
        Optional<Person> who = people(source).stream().findFirst().filter(each -> !isGhost(source));
        if (who.isEmpty() || isSpent(file.read(), who.get())) {
            return Optional.empty();
        }
        Person person = who.get();
        Instant now = clock.instant();
        return file.change(book -> {
            Book fresh = book.withoutPending(each -> isOver(each, now));
            if (isSpent(fresh, person)) {
                return new PairingFile.Change<>(book, Optional.empty());
            }
            String code = codes.code();
            String salt = codes.salt();
            List<Pending> all = new ArrayList<>(
                    fresh.withoutPending(each -> each.who().isSame(person)).pending());
            all.add(new Pending(person, salt, Codes.hash(salt, code), now));
            return new PairingFile.Change<>(fresh.withPending(all), Optional.of(code));
        });
    }

    /** Whether no code is given to somebody now. */
    private boolean isSpent(Book book, Person person) {
        Instant now = clock.instant();
        List<Pending> waiting = book.pending().stream()
                .filter(each -> !isOver(each, now))
                .filter(each -> each.who().platform().equals(person.platform()))
                .toList();
        boolean lately = waiting.stream()
                .anyMatch(each -> each.who().isSame(person)
                        && Duration.between(each.askedAt(), now).compareTo(ASKED_EVERY) < 0);
        long others =
                waiting.stream().filter(each -> !each.who().isSame(person)).count();
        return lately
                || others >= WAITING
                || lockedUntil(book, person.platform()).isPresent();
    }

    /** Lets in whoever was given this code on a platform. */
    public Approval approve(Platform platform, String code) {
        Instant now = clock.instant();
        return file.change(book -> {
            Optional<Instant> locked = lockedUntil(book, platform);
            if (locked.isPresent()) {
                return new PairingFile.Change<>(book, new Approval.Locked(locked.get()));
            }
            Book fresh = book.withoutPending(each -> isOver(each, now));
            Optional<Person> owner = Optional.empty();
            // All are compared, so that the time it takes tells nothing.
            for (Pending each : fresh.pending()) {
                boolean same = Codes.isSame(each.hash(), Codes.hash(each.salt(), code));
                if (same && each.who().platform().equals(platform)) {
                    owner = Optional.of(each.who());
                }
            }
            if (owner.isEmpty()) {
                int count = wrong(book, platform) + 1;
                Book after = fresh.withWrong(platform, Optional.of(new Book.Wrong(count, now)));
                Approval answer = count >= WRONG
                        ? new Approval.Locked(now.plus(LOCKED_FOR))
                        : new Approval.Unknown(WRONG - count);
                return new PairingFile.Change<>(after, answer);
            }
            Person person = owner.get();
            List<Paired> paired = new ArrayList<>(fresh.paired());
            paired.removeIf(each -> each.who().isSame(person));
            paired.add(new Paired(person, now));
            Book after = fresh.withoutPending(each -> each.who().isSame(person))
                    .withPaired(paired)
                    .withWrong(platform, Optional.empty());
            return new PairingFile.Change<>(after, new Approval.LetIn(person));
        });
    }

    /** Lets somebody in no longer, and forgets that they asked; returns false where nothing is known of them. */
    public boolean revoke(Platform platform, String user) {
        Person person = person(platform, user, Optional.empty());
        return file.change(book -> {
            Book after = book.withoutPending(each -> each.who().isSame(person))
                    .withPaired(book.paired().stream()
                            .filter(each -> !each.who().isSame(person))
                            .toList());
            return new PairingFile.Change<>(after, !after.equals(book));
        });
    }

    /** Returns who waits for the operator, in the order in which they asked. */
    public List<Pending> pending() {
        Instant now = clock.instant();
        return file.read().pending().stream().filter(each -> !isOver(each, now)).toList();
    }

    /** Returns who was let in, in that order. */
    public List<Paired> paired() {
        return file.read().paired();
    }

    private static boolean isOver(Pending pending, Instant now) {
        return Duration.between(pending.askedAt(), now).compareTo(GOOD_FOR) >= 0;
    }

    private Optional<Instant> lockedUntil(Book book, Platform platform) {
        return Optional.ofNullable(book.wrong().get(platform))
                .filter(each -> each.count() >= WRONG)
                .map(each -> each.last().plus(LOCKED_FOR))
                .filter(until -> until.isAfter(clock.instant()));
    }

    /** Wrong codes in a row; those before a lock that is over, and old ones, do not count. */
    private int wrong(Book book, Platform platform) {
        return Optional.ofNullable(book.wrong().get(platform))
                .filter(each ->
                        each.count() < WRONG && each.last().plus(LOCKED_FOR).isAfter(clock.instant()))
                .map(Book.Wrong::count)
                .orElse(0);
    }

    /** The person by each of their ids, the one that goes first in front; none where a bot writes or nobody is named. */
    private List<Person> people(SessionSource source) {
        return source.isBot()
                ? List.of()
                : Stream.of(source.userId(), source.userIdAlt())
                        .flatMap(Optional::stream)
                        .map(id -> person(source.platform(), id, source.userName()))
                        .toList();
    }

    private Person person(Platform platform, String user, Optional<String> name) {
        boolean whatsApp = platform.equals(Platform.WHATSAPP);
        return new Person(platform, whatsApp ? WhatsAppIdentity.canonical(user, aliases) : user.strip(), name);
    }

    private static boolean isGhost(SessionSource source) {
        return source.platform().equals(Platform.MATRIX)
                && source.userId()
                        .filter(id -> GHOST.matcher(id.toLowerCase(Locale.ROOT)).matches())
                        .isPresent();
    }
}
