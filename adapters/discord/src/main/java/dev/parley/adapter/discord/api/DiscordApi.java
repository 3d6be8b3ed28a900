package dev.parley.adapter.discord.api;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.adapter.kit.api.ApiAnswer;
import dev.parley.adapter.kit.api.ApiClient;
import dev.parley.adapter.kit.api.ApiClient.ApiCall;
import dev.parley.adapter.kit.api.ApiFailure;
import dev.parley.adapter.kit.api.Form;
import dev.parley.adapter.kit.api.Secrets;
import dev.parley.adapter.kit.flow.Rate;
import dev.parley.adapter.kit.flow.RateLimiter;
import dev.parley.adapter.kit.flow.RateLimiter.Demand;
import dev.parley.adapter.kit.json.Nulls;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * Calls Discord's API for one bot and keeps its limits: what a header announces, what a refusal asks for, and fifty calls in a second over
 * all. A call for which a limit holds is not made; its error says how long to wait. The token goes in a header and is shown nowhere. Safe
 * for concurrent use; a call blocks its thread until it is answered.
 */
public final class DiscordApi {
    private static final Duration CONNECT = Duration.ofSeconds(10);
    private static final int LONGEST_ANSWER = 32 << 20;
    private static final int LONGEST_WORDS = 200;
    private static final String EVERYTHING = "everything";
    private static final Rate OVERALL = new Rate(50, Duration.ofSeconds(1), 50);
    private static final Duration USUAL_PAUSE = Duration.ofSeconds(5);
    private static final Set<String> FILE_HOSTS = Set.of("cdn.discordapp.com", "media.discordapp.net");

    private final ApiClient client;
    private final URI base;
    private final Duration patience;
    private final String token;
    private final Map<String, String> asBot;
    private final Map<String, String> asAnybody;
    private final Secrets secrets;
    private final RateLimiter limiter;

    /**
     * The API for one bot.
     *
     * @param executor runs what the client does in the background
     * @param clock time
     * @param base the API's address, without a slash at its end
     * @param token the bot's token
     * @param patience how long an answer may take
     */
    public DiscordApi(Executor executor, InstantSource clock, URI base, String token, Duration patience) {
        this.secrets = new Secrets(token);
        this.client = new ApiClient(executor, CONNECT, secrets, LONGEST_ANSWER);
        this.base = base;
        this.token = token;
        this.patience = patience;
        String agent = "DiscordBot (parley, 1.0)";
        this.asBot = Map.of("Authorization", "Bot " + token, "User-Agent", agent);
        this.asAnybody = Map.of("User-Agent", agent);
        this.limiter = new RateLimiter(clock);
    }

    /** Returns the token, for the gateway alone. */
    public String token() {
        return token;
    }

    /** Returns who the token belongs to. */
    public Bot me(Duration timeout) throws DiscordError, ApiFailure, InterruptedException {
        Route route = Route.of("log in", "GET", "/users/@me");
        String id = call(route, asBot, Optional.empty(), Optional.empty(), timeout)
                .path("id")
                .asText();
        if (id.isEmpty()) {
            throw new DiscordError(route.name(), 200, 0, false, ": no user", Optional.empty());
        }
        return new Bot(id);
    }

    /** Returns the gateway's address. */
    public URI gateway() throws DiscordError, ApiFailure, InterruptedException {
        Route route = Route.of("find the gateway", "GET", "/gateway/bot");
        return address(get(route).path("url").asText())
                .orElseThrow(() -> new DiscordError(route.name(), 200, 0, false, ": no address", Optional.empty()));
    }

    /** Reads the address of a gateway; absent where it is none. */
    public static Optional<URI> address(String text) {
        try {
            URI address = URI.create(text.replaceAll("[/?]+$", ""));
            String scheme = String.valueOf(address.getScheme()).toLowerCase(Locale.ROOT);
            return Optional.of(address)
                    .filter(each -> each.getHost() != null && (scheme.equals("ws") || scheme.equals("wss")));
        } catch (IllegalArgumentException notAnAddress) {
            return Optional.empty();
        }
    }

    /** Begins a connection of the gateway; completes once it is open. */
    public CompletableFuture<WebSocket> connect(URI gateway, WebSocket.Listener listener) {
        String path = gateway.getRawPath() == null || gateway.getRawPath().isEmpty() ? "/" : "";
        return client.http()
                .newWebSocketBuilder()
                .connectTimeout(CONNECT)
                .buildAsync(URI.create(gateway + path + "?v=10&encoding=json"), listener);
    }

    /**
     * Asks for something and returns the answer.
     *
     * @throws DiscordError where Discord says that it did not do it, or a limit holds
     * @throws ApiFailure where there is no answer
     * @throws InterruptedException where the thread was interrupted; the call may have been carried out
     */
    public JsonNode get(Route route) throws DiscordError, ApiFailure, InterruptedException {
        return call(route, asBot, Optional.empty(), Optional.empty(), patience);
    }

    /** Has something done; what it throws is that of {@link #get}. */
    public JsonNode send(Route route, Object body) throws DiscordError, ApiFailure, InterruptedException {
        return call(route, asBot, Optional.of(body), Optional.empty(), patience);
    }

    /** Has something done that needs no words; what it throws is that of {@link #get}. */
    public JsonNode send(Route route) throws DiscordError, ApiFailure, InterruptedException {
        return get(route);
    }

    /** Hands in a form with files; what it throws is that of {@link #get}. */
    public JsonNode upload(Route route, Form form, Duration timeout)
            throws DiscordError, ApiFailure, InterruptedException {
        return call(route, asBot, Optional.empty(), Optional.of(form), timeout);
    }

    /** Answers what a person did; the route's own token says who may. What it throws is that of {@link #get}. */
    public JsonNode answer(Route route, Object body) throws DiscordError, ApiFailure, InterruptedException {
        return call(route, asAnybody, Optional.of(body), Optional.empty(), patience);
    }

    /** Begins to fetch a file, without the token; the caller closes the stream. */
    public HttpResponse<InputStream> download(URI from, Duration timeout) throws ApiFailure, InterruptedException {
        return client.fetch(ApiCall.get("file", from, asAnybody, timeout));
    }

    /** Returns whether a file at this address lies with Discord. */
    public boolean isFile(URI address) {
        String host = String.valueOf(address.getHost()).toLowerCase(Locale.ROOT);
        boolean same = host.equals(String.valueOf(base.getHost()).toLowerCase(Locale.ROOT))
                && address.getPort() == base.getPort()
                && String.valueOf(address.getScheme()).equalsIgnoreCase(base.getScheme());
        return same || (FILE_HOSTS.contains(host) && "https".equalsIgnoreCase(address.getScheme()));
    }

    /** Returns a text without the token. */
    public String scrub(String text) {
        return secrets.scrub(text);
    }

    private JsonNode call(
            Route route, Map<String, String> as, Optional<Object> body, Optional<Form> form, Duration timeout)
            throws DiscordError, ApiFailure, InterruptedException {
        Duration wait = limiter.take(List.of(new Demand(EVERYTHING, OVERALL), new Demand(route.bucket(), OVERALL)));
        if (!wait.isZero()) {
            throw DiscordError.paused(route.name(), wait);
        }
        ApiAnswer answer = client.call(
                new ApiCall(route.name(), route.verb(), URI.create(base + route.path()), as, body, form, timeout));
        learn(route, answer);
        if (answer.isSuccess() && (answer.status() == 204 || !answer.body().isMissingNode())) {
            return Nulls.dropped(answer.body());
        }
        throw error(route, answer);
    }

    /** Takes down what the answer says of limits. */
    private void learn(Route route, ApiAnswer answer) {
        Optional<Duration> reset =
                answer.headers().firstValue("X-RateLimit-Reset-After").flatMap(ApiAnswer::seconds);
        boolean last = answer.headers()
                .firstValue("X-RateLimit-Remaining")
                .filter("0"::equals)
                .isPresent();
        if (last && reset.isPresent()) {
            limiter.pause(route.bucket(), reset.get());
        }
        if (answer.status() == 429) {
            boolean all = answer.body().path("global").asBoolean(false)
                    || answer.headers().firstValue("X-RateLimit-Global").isPresent()
                    || !answer.body().isObject();
            limiter.pause(all ? EVERYTHING : route.bucket(), pause(answer));
        }
    }

    private static Duration pause(ApiAnswer answer) {
        return ApiAnswer.seconds(answer.body().path("retry_after").asText())
                .or(answer::retryAfter)
                .orElse(USUAL_PAUSE);
    }

    private DiscordError error(Route route, ApiAnswer answer) {
        JsonNode body = answer.body();
        boolean spoken = body.isObject() && (body.has("code") || body.has("message"));
        String words = line(body.path("message").asText());
        return new DiscordError(
                route.name(),
                answer.status(),
                body.path("code").asInt(),
                spoken,
                words.isEmpty() ? "" : ": " + words,
                answer.status() == 429 ? Optional.of(pause(answer)) : answer.retryAfter());
    }

    private String line(String words) {
        String line = secrets.scrub(words).replaceAll("\\s+", " ");
        return line.length() > LONGEST_WORDS ? line.substring(0, LONGEST_WORDS) : line;
    }
}
