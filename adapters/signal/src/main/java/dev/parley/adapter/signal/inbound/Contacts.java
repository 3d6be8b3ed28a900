package dev.parley.adapter.signal.inbound;

import dev.parley.application.port.Cursors;
import dev.parley.application.port.ParleyException;
import dev.parley.domain.source.CursorName;
import dev.parley.domain.source.Platform;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which number belongs to which uuid. Somebody who hides their number after they have shown it keeps their lane by it. What was seen is
 * noted among the cursors, so that a restart does not forget it. Safe for concurrent use.
 */
public final class Contacts {
    private final String account;
    private final Cursors cursors;
    private final Map<String, Optional<String>> numbers = new ConcurrentHashMap<>();

    /** The contacts of an account, by its number. */
    public Contacts(String account, Cursors cursors) {
        this.account = account;
        this.cursors = cursors;
    }

    /** Returns whether a number, or the number of a uuid, is the account's own. */
    boolean isAccount(String number, String uuid) {
        return number.isEmpty()
                ? !uuid.isEmpty() && number(uuid).filter(account::equals).isPresent()
                : number.equals(account);
    }

    /** Notes that a uuid has shown its number; one of both may be empty, then nothing is noted. */
    void seen(String number, String uuid) {
        if (number.isEmpty() || uuid.isEmpty()) {
            return;
        }
        if (!number(uuid).equals(Optional.of(number))) {
            numbers.put(uuid, Optional.of(number));
            cursors.put(name(uuid), number);
        }
    }

    /** Returns the number that a uuid has shown last; absent where it never did. */
    Optional<String> number(String uuid) {
        Optional<String> known = numbers.get(uuid);
        if (known != null) {
            return known;
        }
        try {
            Optional<String> noted = cursors.get(name(uuid));
            numbers.put(uuid, noted);
            return noted;
        } catch (ParleyException unknown) {
            // The storage is away; it is asked again the next time.
            return Optional.empty();
        }
    }

    private CursorName name(String uuid) {
        return new CursorName(Platform.of("signal"), account, "number of " + uuid);
    }
}
