package dev.parley.application.guard;

import dev.parley.application.port.Authorization;
import dev.parley.domain.source.SessionSource;
import java.util.Optional;

/**
 * An authorization whose failure refuses (P7.21).
 *
 * @param authorization decides
 * @param guard tells its failures
 */
public record GuardedAuthorization(Authorization authorization, Guard guard) implements Authorization {
    @Override
    public boolean mayTalk(SessionSource source) {
        return guard.get(
                Optional.empty(), "Authorisation failed; refused.", () -> authorization.mayTalk(source), false);
    }

    @Override
    public boolean neverBlocks() {
        return guard.get(
                Optional.empty(),
                "An authorization does not say whether it blocks; it is asked as if it did.",
                authorization::neverBlocks,
                false);
    }

    @Override
    public Optional<String> invitation(SessionSource source) {
        return guard.get(
                Optional.empty(),
                "Nobody could be told how to be let in.",
                () -> authorization.invitation(source),
                Optional.empty());
    }

    @Override
    public boolean isAdmin(SessionSource source) {
        return guard.get(
                Optional.empty(), "Authorisation failed; refused.", () -> authorization.isAdmin(source), false);
    }
}
