package dev.parley.persistence.sqlite.ledger;

import dev.parley.domain.change.SessionEdit;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.text.Unicode;
import dev.parley.persistence.sql.json.RawJsonText;
import dev.parley.persistence.sqlite.statement.Seconds;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** An edit of a session, ready to be stored. */
@FunctionalInterface
interface SessionEdits {
    /** Applies the edit. */
    void apply(SessionWrites sessions, String id) throws SQLException;

    /** Encodes an edit. */
    static SessionEdits of(SessionEdit edit) {
        if (edit instanceof SessionEdit.End end) {
            double at = Seconds.write(end.ending().at());
            @Nullable
            String reason = end.ending().reason().map(Unicode::wellFormed).orElse(null);
            return (sessions, id) -> sessions.end(id, at, reason);
        }
        if (edit instanceof SessionEdit.Reopen) {
            return SessionWrites::reopen;
        }
        if (edit instanceof SessionEdit.Retitle retitle) {
            @Nullable String title = retitle.title().map(Unicode::wellFormed).orElse(null);
            return (sessions, id) -> sessions.retitle(id, retitle, title);
        }
        if (edit instanceof SessionEdit.SystemPrompt prompt) {
            String text = Unicode.wellFormed(prompt.text());
            return (sessions, id) -> sessions.systemPrompt(id, text);
        }
        if (edit instanceof SessionEdit.Model model) {
            String name = Unicode.wellFormed(model.model());
            @Nullable String config = RawJsonText.write(model.config());
            boolean configured = model.config().isPresent();
            return (sessions, id) -> sessions.model(id, name, configured, config);
        }
        if (edit instanceof SessionEdit.Parent parent) {
            @Nullable String of = parent.parent().map(SessionId::value).orElse(null);
            return (sessions, id) -> sessions.parent(id, parent, of);
        }
        if (edit instanceof SessionEdit.Peer peer) {
            Encoding.Peer of = Encoding.Peer.of(peer.peer());
            return (sessions, id) -> sessions.peer(id, of);
        }
        SessionEdit.Counts counts = (SessionEdit.Counts) edit;
        return (sessions, id) -> sessions.counts(id, counts.messages(), counts.toolCalls());
    }
}
