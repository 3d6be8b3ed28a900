package dev.parley.bootstrap.cli;

import dev.parley.application.spi.Storage;
import dev.parley.application.store.StoredFamily;
import dev.parley.domain.session.Lineage;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.title.TitleLineage;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Resolves a name to sessions (storage 3.4, 3.5, 3.7). */
final class SessionNames {
    private SessionNames() {}

    /** Returns by_id, by_title, compression_tip, resume_id and next_title of a name; null without a match. */
    static Map<String, @Nullable Object> resolve(Storage storage, String name) {
        Optional<SessionId> byId = byId(storage, name);
        List<Session> titled = storage.sessions().titledLike(name);
        Optional<SessionId> byTitle = name.isEmpty()
                ? Optional.empty()
                : TitleLineage.resolve(name, titled).map(Session::id);
        Optional<SessionId> named = exact(storage, name).or(() -> byTitle).or(() -> byId);
        Lineage.Family family = new StoredFamily(storage.sessions(), storage.transcripts());
        Map<String, @Nullable Object> row = new LinkedHashMap<>();
        row.put("by_id", byId.map(SessionId::value).orElse(null));
        row.put("by_title", byTitle.map(SessionId::value).orElse(null));
        row.put(
                "compression_tip",
                named.map(id -> Lineage.compressionTip(id, family).value()).orElse(null));
        row.put(
                "resume_id",
                named.map(id -> resumeId(storage, id, family).value()).orElse(null));
        row.put("next_title", nextTitle(storage, name));
        return row;
    }

    private static SessionId resumeId(Storage storage, SessionId id, Lineage.Family family) {
        return storage.maintenance().resumesAtTip() ? Lineage.resumeIdAtTip(id, family) : Lineage.resumeId(id, family);
    }

    private static Optional<SessionId> exact(Storage storage, String name) {
        return SessionId.isSafe(name)
                ? storage.sessions().find(SessionId.of(name)).map(Session::id)
                : Optional.empty();
    }

    private static Optional<SessionId> byId(Storage storage, String name) {
        if (name.isEmpty()) {
            return Optional.empty();
        }
        return exact(storage, name).or(() -> {
            List<Session> like = storage.sessions().withIdPrefix(name, 2);
            return like.size() == 1 ? Optional.of(like.get(0).id()) : Optional.empty();
        });
    }

    private static @Nullable String nextTitle(Storage storage, String name) {
        if (name.isEmpty()) {
            return null;
        }
        List<String> taken = storage.sessions().titledLike(TitleLineage.base(name)).stream()
                .flatMap(s -> s.title().stream())
                .toList();
        return TitleLineage.next(name, taken);
    }
}
