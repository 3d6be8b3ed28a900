package dev.parley.persistence.postgres.ledger;

import dev.parley.domain.change.Precondition;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.Lane;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.text.Unicode;
import dev.parley.domain.transcript.StoredMessage;
import dev.parley.domain.turn.Hold;
import dev.parley.domain.turn.InboundId;
import dev.parley.domain.turn.PlatformMessage;
import dev.parley.domain.turn.RunId;
import dev.parley.domain.turn.TurnId;
import dev.parley.persistence.postgres.row.UseRow;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What a batch stands on as it was read under its locks, and as its changes have left it so far. Keys are texts as they are
 * stored.
 */
final class Known implements Precondition.Facts<RuntimeException> {
    /** What is known of a lane that is locked. */
    record Held(Hold hold, long last) {
        static final Held NONE = new Held(Hold.NONE, 0);
    }

    /** Where a session comes from, and the model it uses. */
    record Source(String name, Optional<String> model) {}

    final Map<String, Held> holds = new HashMap<>();
    final Map<String, Lane> lanes = new HashMap<>();
    final Map<String, UseRow> sessions = new HashMap<>();
    final Map<String, Source> sources = new HashMap<>();
    final Map<String, String> titles = new HashMap<>();
    /** The run of each claimed turn. */
    final Map<String, String> claimed = new HashMap<>();

    final Set<String> admitted = new HashSet<>();
    final Set<List<String>> received = new HashSet<>();
    final Set<String> current = new HashSet<>();
    final Map<String, Map<String, StoredMessage.State>> messages = new HashMap<>();

    Held held(String lane) {
        return holds.getOrDefault(lane, Held.NONE);
    }

    Map<String, StoredMessage.State> messagesOf(String session) {
        return messages.computeIfAbsent(session, id -> new HashMap<>());
    }

    static List<String> name(PlatformMessage message) {
        return List.of(
                Unicode.wellFormed(message.platform().name()),
                Unicode.wellFormed(message.chatId()),
                Unicode.wellFormed(message.messageId()));
    }

    @Override
    public boolean exists(SessionId session) {
        return sessions.containsKey(Needs.key(session));
    }

    @Override
    public boolean isTitleTaken(String title, SessionId by) {
        return Optional.ofNullable(titles.get(Unicode.wellFormed(title)))
                .filter(owner -> !owner.equals(Needs.key(by)))
                .isPresent();
    }

    @Override
    public long epoch(SessionKey lane) {
        return Optional.ofNullable(lanes.get(Needs.key(lane))).map(Lane::epoch).orElse(Lane.ABSENT);
    }

    @Override
    public boolean isClaimed(TurnId turn, RunId run) {
        return Unicode.wellFormed(run.value()).equals(claimed.get(Needs.key(turn)));
    }

    @Override
    public boolean isReceived(PlatformMessage message) {
        return received.contains(name(message));
    }

    @Override
    public boolean isAdmitted(InboundId inbound) {
        return admitted.contains(Unicode.wellFormed(inbound.value()));
    }

    @Override
    public boolean isCurrent(SessionId session) {
        return current.contains(Needs.key(session));
    }

    @Override
    public Hold hold(SessionKey lane) {
        return held(Needs.key(lane)).hold();
    }

    @Override
    public long lastOrdinal(SessionKey lane) {
        return held(Needs.key(lane)).last();
    }
}
