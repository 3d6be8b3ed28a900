package dev.parley.application.command;

import dev.parley.application.port.AgentFactory;
import dev.parley.application.port.AgentSpec;
import dev.parley.application.port.Lanes;
import dev.parley.application.port.Sessions;
import dev.parley.application.port.TranscriptSearch;
import dev.parley.application.port.Transcripts;
import dev.parley.application.settings.Chat;
import dev.parley.application.spi.Storage;
import dev.parley.application.store.LaneFacts;
import dev.parley.domain.key.KeyRules;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.Lane;
import dev.parley.domain.session.SessionEntry;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.session.Viewer;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.transcript.MessageId;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;

/**
 * What a command decides on.
 *
 * @param request the command as it was written
 * @param view the lane it was written in
 * @param stores what is read from
 * @param around the gateway around it
 */
public record CommandContext(CommandRequest request, LaneView view, Stores stores, Surroundings around) {
    /** Returns the lane it was written in. */
    public SessionKey lane() {
        return view.key();
    }

    /** Returns who wrote it, and from where. */
    public SessionSource source() {
        return request.source();
    }

    /** Returns the lane as stored; absent where it does not exist. */
    public Optional<Lane> current() {
        return view.current();
    }

    /** Returns the text behind the command's name. */
    public String arguments() {
        return request.arguments();
    }

    /** Returns whether the writer is a configured admin. */
    public boolean admin() {
        return request.admin();
    }

    /** Returns the clock's reading. */
    public Instant now() {
        return request.now();
    }

    /** Returns the gateway's zone. */
    public ZoneId zone() {
        return around.zone();
    }

    /** Returns the store, to read from. */
    public Storage storage() {
        return stores.storage();
    }

    /** Returns the lane's running turn; absent while it is idle. */
    public Optional<RunningTurn> running() {
        return view.running();
    }

    /** Returns whether an agent works for the lane, on a turn or on a summary. */
    public boolean isBusy() {
        return view.running().isPresent() || view.summarising();
    }

    /** Returns what people may do in a chat. */
    public Chat settings() {
        return around.settings();
    }

    /** Returns how lanes are told apart. */
    public KeyRules rules() {
        return around.rules();
    }

    /** Returns what makes agents; for model names and context sizes. */
    public AgentFactory agents() {
        return around.agents();
    }

    /** Returns the writer as the viewer of everything the command reads (Z12.4). */
    public Viewer viewer() {
        return new Viewer.ChatUser(source(), rules());
    }

    /** Returns what decides which session begins where the writer begins one anew. */
    public LaneFacts factsOfNew() {
        return stores.reader().read(lane(), source(), current(), running().isPresent(), true);
    }

    /** Returns the lane's entry, or nothing. */
    public Optional<SessionEntry> entry() {
        return current().map(Lane::entry);
    }

    /** Returns the lane's epoch, {@link Lane#ABSENT} where it does not exist. */
    public long epoch() {
        return current().map(Lane::epoch).orElse(Lane.ABSENT);
    }

    /** Returns the reads of the lanes. */
    public Lanes lanes() {
        return storage().lanes();
    }

    /** Returns the reads of the sessions. */
    public Sessions sessions() {
        return storage().sessions();
    }

    /** Returns the reads of the transcripts. */
    public Transcripts transcripts() {
        return storage().transcripts();
    }

    /** Returns the search. */
    public TranscriptSearch search() {
        return storage().search();
    }

    /** Returns an id for a session that begins now. */
    public SessionId newSessionId() {
        return SessionId.begunAt(now(), zone(), around.ids().sessionSuffix());
    }

    /** Returns an id for a message. */
    public MessageId newMessageId() {
        return new MessageId(around.ids().unique("m"));
    }

    /** Returns what the lane's agent is made for, without its prompt; for model names and context sizes. */
    public Optional<AgentSpec> agentSpec() {
        return entry().map(e -> new AgentSpec(lane(), e.sessionId(), source(), "", e.modelOverride()));
    }
}
