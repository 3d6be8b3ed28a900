package dev.parley.application.turn;

import dev.parley.application.port.AgentSpec;
import dev.parley.application.port.AgentTurn;
import dev.parley.application.port.StorageCorrupt;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.settings.Recovery;
import dev.parley.application.spi.Storage;
import dev.parley.domain.context.SystemNotes;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.SessionEntry;
import dev.parley.domain.transcript.Content;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.ReplayCleaning;
import dev.parley.domain.transcript.Role;
import dev.parley.domain.transcript.StoredMessage;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Reads what an agent is given for a turn. Safe for concurrent use. */
public final class TurnPreparation {
    private final Storage storage;
    private final Prompts prompts;
    private final Recovery settings;
    private volatile boolean sessionsSeen;

    /** Reads from {@code storage}. */
    public TurnPreparation(Storage storage, Prompts prompts, Recovery settings) {
        this.storage = storage;
        this.prompts = prompts;
        this.settings = settings;
    }

    /**
     * What an agent is given.
     *
     * @param spec what the agent is made for
     * @param turn what it is told, without what hooks add to it
     * @param notes the notes among it, by their words
     * @param counted how many messages of user, assistant and tools it sees before the input
     * @param messages how many messages the session has before the input
     */
    public record Prepared(AgentSpec spec, AgentTurn turn, List<String> notes, int counted, int messages) {
        public Prepared {
            notes = List.copyOf(notes);
        }
    }

    /**
     * Returns what an agent is given for a turn.
     *
     * @throws StorageUnavailable where the conversation cannot be read now
     */
    public Prepared prepare(TurnPlan plan, SessionEntry entry, Instant now) {
        SessionKey key = plan.turn().lane();
        List<Message> before = storage.transcripts().load(plan.session()).stream()
                .map(StoredMessage::message)
                .filter(m -> !m.id().equals(plan.input().id()))
                .toList();
        List<Message> history = ReplayCleaning.replay(before, now);
        boolean toolTail =
                !history.isEmpty() && history.get(history.size() - 1).role().equals(Role.TOOL);
        List<SystemNotes.Note> notes = SystemNotes.of(new SystemNotes.Facts(
                now,
                settings.freshness(),
                plan.mark(),
                SystemNotes.transcriptClock(before),
                toolTail,
                plan.text().isBlank(),
                plan.autoReset(),
                !before.isEmpty(),
                !before.isEmpty() || hasAnySessions()));
        String prompt = prompts.prompt(key, entry, plan.source());
        String told = Circumstances.of(plan.parts())
                .map(lines -> lines + "\n\n" + plan.text())
                .orElse(plan.text());
        Message given = notes.isEmpty() && told.equals(plan.text())
                ? plan.input()
                : plan.input().toBuilder()
                        .content(Content.text(SystemNotes.before(notes, told)))
                        .build();
        return new Prepared(
                new AgentSpec(key, plan.session(), plan.source(), prompt, entry.modelOverride()),
                new AgentTurn(
                        plan.turn().id(),
                        plan.session(),
                        prompt,
                        history,
                        given,
                        List.of(),
                        plan.source().userName()),
                notes.stream().map(n -> n.kind().text()).toList(),
                counted(history),
                before.size());
    }

    private static int counted(List<Message> history) {
        return (int) history.stream()
                .filter(m -> m.role().equals(Role.USER)
                        || m.role().equals(Role.ASSISTANT)
                        || m.role().equals(Role.TOOL))
                .count();
    }

    /** Returns whether there was ever a session before the current one; where that cannot be known, there was (O4.12). */
    private boolean hasAnySessions() {
        if (!sessionsSeen) {
            try {
                sessionsSeen = storage.sessions().count(Optional.empty()) > 1;
            } catch (StorageUnavailable | StorageCorrupt e) {
                // Degraded storage counts nothing; that is no reason to keep a message waiting, nor to introduce
                // oneself.
                return true;
            }
        }
        return sessionsSeen;
    }
}
