package dev.parley.application.lane;

import dev.parley.application.lane.FollowUps.Item;
import dev.parley.application.port.AgentFactory;
import dev.parley.application.port.AgentSpec;
import dev.parley.application.port.ChatPlatform;
import dev.parley.application.port.ProcessActivity;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.recovery.CutOff;
import dev.parley.application.settings.Busy;
import dev.parley.application.settings.BusyMode;
import dev.parley.application.spi.Storage;
import dev.parley.application.store.LaneAccess;
import dev.parley.application.store.LaneFacts;
import dev.parley.application.store.LaneReader;
import dev.parley.domain.key.KeyRules;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.Lane;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionEntry;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.StoredMessage;
import dev.parley.domain.transcript.TokenEstimate;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.PlatformMessage;
import dev.parley.domain.turn.Turn;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Reads what a lane decides on from the store, and from the agents what they say of models.
 *
 * @param storage the store
 * @param reader gathers what decides which session a message belongs to
 * @param agents knows how much a model reads
 * @param rules how lanes are told apart
 * @param busy how follow-ups are merged
 * @param cutting how a platform's apps cut up what people send; absent where they do not
 */
public record StoreReading(
        Storage storage,
        LaneReader reader,
        AgentFactory agents,
        KeyRules rules,
        Busy busy,
        Function<Platform, Optional<ChatPlatform.Cutting>> cutting)
        implements LaneReading {
    private static final long FULL_PERCENT = 85;
    private static final long LEAST_MESSAGES = 4;
    private static final long MOST_MESSAGES = 5000;

    @Override
    public LaneState load(SessionKey key, LaneState known, List<Inbound> taken) {
        // The greatest ordinal first: whatever another gateway stores meanwhile is then either read or behind it.
        long before = Math.max(known.waiting().lastOrdinal(), storage.queue().lastOrdinal(key));
        List<Inbound> waiting = storage.queue().admitted(key).stream()
                .filter(i -> taken.stream().noneMatch(t -> t.id().equals(i.id())))
                .toList();
        long last = waiting.stream().mapToLong(Inbound::ordinal).reduce(before, Math::max);
        return known.with(storage.lanes().find(key)).with(new Waiting(waiting, last));
    }

    @Override
    public List<Item> items(LaneState state) {
        FollowUps.Merging merging = busy.mode(true) == BusyMode.QUEUE
                ? new FollowUps.Merging(
                        Optional.of(busy.debounce()),
                        busy.debounceLimit(),
                        message -> cutting.apply(message.source().platform()).flatMap(cut -> cut.rest(message)))
                : FollowUps.Merging.ALL;
        return FollowUps.items(state.waiting().messages(), merging, rules::participantOf);
    }

    @Override
    public LaneFacts facts(SessionKey key, SessionSource source, LaneState state, ProcessActivity processes) {
        return reader.knowing(processes).read(key, source, state.lane(), false, false);
    }

    @Override
    public List<Instant> processes(SessionKey key) {
        return reader.processes(key);
    }

    @Override
    public long contextLength(SessionKey key, SessionEntry entry, SessionSource source) {
        return agents.contextLength(new AgentSpec(key, entry.sessionId(), source, "", entry.modelOverride()));
    }

    @Override
    public Optional<Session> session(SessionId id) {
        return storage.sessions().find(id);
    }

    @Override
    public Optional<Inbound> received(PlatformMessage name) {
        return storage.queue().received(name);
    }

    @Override
    public boolean isClaimed(Turn turn) {
        return storage.queue()
                .turn(turn.id())
                .filter(stored ->
                        stored.state() == Turn.State.CLAIMED && stored.run().equals(turn.run()))
                .isPresent();
    }

    @Override
    public List<Outgoing> undelivered() {
        return storage.queue().undelivered();
    }

    @Override
    public List<Outgoing> undelivered(SessionKey key) {
        return storage.queue().undelivered(key);
    }

    @Override
    public List<Inbound> posted(SessionKey key, LaneState state) {
        return Posting.unknown(state, storage.queue().admitted(key));
    }

    @Override
    public List<CutOff> cutOff(SessionKey key, Instant now) {
        return storage.queue().claimed(key).stream()
                .map(turn -> CutOff.of(storage, turn, now))
                .toList();
    }

    @Override
    public Optional<Lane> stored(SessionKey key) {
        return storage.lanes().find(key);
    }

    @Override
    public boolean outgrows(
            SessionKey key, LaneState state, SessionSource source, long contextLength, ProcessActivity processes) {
        Optional<SessionEntry> entry = state.lane().map(l -> l.entry());
        try {
            return entry.isPresent()
                    && isTooLong(entry.get(), contextLength)
                    && !LaneAccess.decide(
                                    facts(key, source, state, processes),
                                    entry.get().sessionId(),
                                    true)
                            .begins();
        } catch (StorageUnavailable e) {
            return false;
        }
    }

    private boolean isTooLong(SessionEntry entry, long contextLength) {
        long limit = contextLength;
        long used = entry.usage().lastPromptTokens();
        boolean counted = limit > 0 && used > 0;
        if (counted && used * 100 < limit * FULL_PERCENT) {
            limit = 0;
        }
        long messages = session(entry.sessionId()).map(Session::messageCount).orElse(0L);
        if (messages < LEAST_MESSAGES || (limit <= 0 && messages < MOST_MESSAGES)) {
            return false;
        }
        List<Message> active = storage.transcripts().load(entry.sessionId()).stream()
                .map(StoredMessage::message)
                .toList();
        long estimate = counted ? used : TokenEstimate.of(active);
        return active.size() >= MOST_MESSAGES
                || (active.size() >= LEAST_MESSAGES && limit > 0 && estimate * 100 >= limit * FULL_PERCENT);
    }
}
