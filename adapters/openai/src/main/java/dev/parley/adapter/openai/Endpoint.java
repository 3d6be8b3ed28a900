package dev.parley.adapter.openai;

import dev.parley.adapter.kit.settings.Secret;
import dev.parley.application.port.InvalidRequest;
import dev.parley.domain.session.ModelOverride;
import java.net.URI;
import java.util.Optional;

/**
 * Which model is asked, and where.
 *
 * @param baseUrl where the server's interface begins
 * @param model the model
 * @param provider the billing provider's name
 * @param key the API key; absent if the lane chose another server
 */
record Endpoint(String baseUrl, String model, String provider, Optional<Secret> key) {
    /**
     * Returns what is configured, with what was chosen for the lane in its place; the key is shown to its own server only.
     *
     * @throws InvalidRequest where the address that was chosen names a user
     */
    static Endpoint of(OpenAiSettings settings, Optional<ModelOverride> override) {
        Optional<String> chosen = override.flatMap(ModelOverride::baseUrl);
        if (chosen.filter(OpenAiSettings::holdsUser).isPresent()) {
            throw new InvalidRequest("The address that was chosen for this conversation's model holds a user or a"
                    + " password, which would not be sent; choose it without them.");
        }
        String baseUrl = chosen.map(url -> url.replaceAll("/+$", ""))
                .filter(OpenAiSettings::isHttp)
                .orElse(settings.baseUrl());
        return new Endpoint(
                baseUrl,
                model(settings, override),
                override.flatMap(ModelOverride::provider).orElse(OpenAiProvider.NAME),
                settings.key().filter(key -> server(baseUrl).equals(server(settings.baseUrl()))));
    }

    /** Returns the model that is asked: the configured one, or that which was chosen for the lane. */
    static String model(OpenAiSettings settings, Optional<ModelOverride> override) {
        return override.flatMap(ModelOverride::model).orElse(settings.model());
    }

    private static String server(String url) {
        URI uri = URI.create(url);
        return uri.getScheme() + "://" + uri.getRawAuthority();
    }

    URI completions() {
        return URI.create(baseUrl + "/chat/completions");
    }
}
