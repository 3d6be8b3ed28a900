package dev.parley.application.guard;

import dev.parley.domain.key.AliasLookup;
import java.util.Optional;
import java.util.Set;

/**
 * A look-up of aliases whose failure counts as none (K5.17).
 *
 * @param aliases the look-up
 * @param guard tells its failures
 */
public record GuardedAliases(AliasLookup aliases, Guard guard) implements AliasLookup {
    @Override
    public Set<String> aliasesOf(String identifier) {
        return guard.get(
                Optional.empty(),
                "Nobody could say under which other names somebody is known; nobody is taken for them.",
                () -> aliases.aliasesOf(identifier),
                Set.of());
    }
}
