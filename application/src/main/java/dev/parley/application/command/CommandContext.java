package dev.parley.application.command;

import dev.parley.application.port.AgentFactory;
import dev.parley.application.port.AgentSpec;
import dev.parley.application.port.Ids;
import dev.parley.application.port.Lanes;
import dev.parley.application.port.Sessions;
import dev.parley.application.port.TranscriptSearch;
import dev.parley.application.port.Transcripts;
import dev.parley.application.settings.GatewaySettings;
import dev.parley.application.spi.Storage;
import dev.parley.application.store.LaneFacts;
import dev.parley.application.store.LaneReader;
import dev.parley.domain.change.Change;
import dev.parley.domain.change.LaneEvent;
import dev.parley.domain.key.KeyRules;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.Lane;
import dev.parley.domain.session.SessionEntry;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.session.Viewer;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.transcript.MessageId;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a command decides on.
 *
 * @param lane the lane it was written in
 * @param source who wrote it, and from where
 * @param current the lane as stored; absent where it does not exist
 * @param arguments the text behind the command's name, trimmed, with long dashes as hyphens (Q8.2)
 * @param admin whether the writer is a configured admin
 * @param now the clock
 * @param zone the gateway's zone
 * @param storage the store, to read from; a command never commits
 * @param reader gathers what a decision about the lane stands on
 * @param running the lane's running turn; absent while it is idle
 * @param summarising whether the conversation is being summarised
 * @param runningBeside other lanes of the same thread whose turn is running, by key; none where this is no thread
 * @param stopping whether the gateway is stopping
 * @param depth how many items wait in the lane's queue (Q8.21)
 * @param settings the gateway's settings
 * @param rules how lanes are told apart
 * @param ids chance, for new ids
 * @param agents makes agents; for model names and context sizes
 * @param connected the platforms that are able to send, in order
 * @param commands all commands of this gateway, by name
 */
public record CommandContext(
        SessionKey lane,
        SessionSource source,
        Optional<Lane> current,
        String arguments,
        boolean admin,
        Instant now,
        ZoneId zone,
        Storage storage,
        LaneReader reader,
        Optional<RunningTurn> running,
        boolean summarising,
        List<SessionKey> runningBeside,
        boolean stopping,
        int depth,
        GatewaySettings settings,
        KeyRules rules,
        Ids ids,
        AgentFactory agents,
        List<Platform> connected,
        List<ChatCommand> commands) {

    public CommandContext {
        runningBeside = List.copyOf(runningBeside);
        connected = List.copyOf(connected);
        commands = List.copyOf(commands);
    }

    /** Returns the writer as the viewer of everything the command reads (Z12.4). */
    public Viewer viewer() {
        return new Viewer.ChatUser(source, rules);
    }

    /** Returns what decides which session a message of the writer belongs to. */
    public LaneFacts facts(boolean forceNew) {
        return reader.read(lane, source, current, running.isPresent(), forceNew);
    }

    /** Returns the lane's entry, or nothing. */
    public Optional<SessionEntry> entry() {
        return current.map(Lane::entry);
    }

    /** Returns the lane's epoch, {@link Lane#ABSENT} where it does not exist. */
    public long epoch() {
        return current.map(Lane::epoch).orElse(Lane.ABSENT);
    }

    /** Returns the reads of the lanes. */
    public Lanes lanes() {
        return storage.lanes();
    }

    /** Returns the reads of the sessions. */
    public Sessions sessions() {
        return storage.sessions();
    }

    /** Returns the reads of the transcripts. */
    public Transcripts transcripts() {
        return storage.transcripts();
    }

    /** Returns the search. */
    public TranscriptSearch search() {
        return storage.search();
    }

    /** Returns an id for a session that begins now. */
    public SessionId newSessionId() {
        return SessionId.begunAt(now, zone, ids.sessionSuffix());
    }

    /** Returns an id for a message. */
    public MessageId newMessageId() {
        return new MessageId(ids.unique("m"));
    }

    /** Returns what the lane's agent is made for, without its prompt; for model names and context sizes. */
    public Optional<AgentSpec> agentSpec() {
        return entry().map(e -> new AgentSpec(lane, e.sessionId(), source, "", e.modelOverride()));
    }

    /** Returns the change that stores the lane with another entry and its epoch raised by one. */
    public Change putLane(SessionEntry entry) {
        return new Change.PutLane(new Lane(entry, epoch() + 1));
    }

    /** Returns the change that adds a line to the lane's history. */
    public Change history(
            LaneEvent.Kind kind,
            Optional<SessionId> from,
            Optional<SessionId> to,
            String reason,
            Map<String, String> inputs) {
        return new Change.AppendHistory(new LaneEvent(lane, now, kind, from, to, reason, inputs));
    }
}
