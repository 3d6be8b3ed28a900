package dev.parley.domain.session;

import java.util.Optional;

/**
 * A model chosen for one lane. Credentials are never part of it (E2.2).
 *
 * @param model the model
 * @param provider the provider
 * @param baseUrl the provider's address
 */
public record ModelOverride(Optional<String> model, Optional<String> provider, Optional<String> baseUrl) {
    /** Returns true where nothing is overridden. */
    public boolean isEmpty() {
        return model.isEmpty() && provider.isEmpty() && baseUrl.isEmpty();
    }
}
