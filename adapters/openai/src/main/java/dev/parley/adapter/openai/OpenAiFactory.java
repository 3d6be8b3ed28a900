package dev.parley.adapter.openai;

import dev.parley.application.port.Agent;
import dev.parley.application.port.AgentFactory;
import dev.parley.application.port.AgentSpec;
import dev.parley.application.spi.ProviderSettings;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Makes agents that share one client of the network. */
final class OpenAiFactory implements AgentFactory {
    private static final Duration CONNECT = Duration.ofSeconds(20);

    private final ProviderSettings surroundings;
    private final OpenAiSettings settings;
    private final HttpClient client;

    OpenAiFactory(ProviderSettings surroundings, OpenAiSettings settings) {
        this.surroundings = surroundings;
        this.settings = settings;
        this.client = HttpClient.newBuilder()
                .executor(surroundings.executor())
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(CONNECT)
                .followRedirects(HttpClient.Redirect.NEVER)
                .build();
    }

    /** A11.3; the key is in it by its digest only. */
    @Override
    public String signature(AgentSpec spec) {
        Endpoint endpoint = Endpoint.of(settings, spec.override());
        Map<String, Optional<String>> parts = new TreeMap<>();
        parts.put("model", Optional.of(endpoint.model()));
        parts.put("key", endpoint.key().map(key -> digest(key.text())));
        parts.put("base_url", Optional.of(endpoint.baseUrl()));
        parts.put("provider", Optional.of(endpoint.provider()));
        parts.put("api_mode", Optional.of("chat_completions"));
        parts.put("prompt", Optional.of(spec.prompt()));
        parts.put("system_prompt", settings.systemPrompt());
        parts.put("user_id", spec.source().userId());
        parts.put("user_id_alt", spec.source().userIdAlt());
        parts.put("context_length", Optional.of(String.valueOf(settings.contextLength())));
        parts.put("max_tokens", settings.maxTokens().map(String::valueOf));
        StringBuilder text = new StringBuilder();
        parts.forEach((name, value) -> text.append(name)
                .append(value.map(v -> "=" + v.length() + ":" + v).orElse(""))
                .append('\n'));
        return digest(text.toString());
    }

    private static String digest(String text) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256", e);
        }
    }

    @Override
    public Agent create(AgentSpec spec) {
        return new OpenAiAgent(surroundings, settings, Endpoint.of(settings, spec.override()), client);
    }

    @Override
    public String model(AgentSpec spec) {
        return Endpoint.model(settings, spec.override());
    }

    @Override
    public long contextLength(AgentSpec spec) {
        return settings.contextLength();
    }
}
