package dev.parley.adapter.slack.api;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.adapter.kit.api.ApiAnswer;
import dev.parley.adapter.kit.api.ApiClient;
import dev.parley.adapter.kit.api.ApiClient.ApiCall;
import dev.parley.adapter.kit.api.ApiFailure;
import dev.parley.adapter.kit.api.Secrets;
import dev.parley.adapter.kit.api.UrlEncoded;
import dev.parley.adapter.kit.api.WholeFile;
import dev.parley.adapter.kit.flow.RateLimiter;
import dev.parley.adapter.kit.json.Nulls;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * Calls the Web API for one app. The tokens go in headers and are shown nowhere; the address of a connection holds a ticket and is not
 * shown either. Safe for concurrent use; a call blocks its thread until it is answered.
 */
public final class SlackApi {
    private static final Duration CONNECT = Duration.ofSeconds(10);
    private static final int LONGEST_ANSWER = 32 << 20;
    private static final int LONGEST_WORDS = 200;
    private static final int LIMITED = 429;

    private final ApiClient client;
    private final URI base;
    private final Duration patience;
    private final Map<String, String> asBot;
    private final Map<String, String> asApp;
    private final Secrets secrets;
    private final RateLimiter pauses;

    /**
     * The API for one app.
     *
     * @param executor runs what the client does in the background
     * @param clock time
     * @param base the address below which methods stand, without a slash at its end
     * @param botToken the bot's token
     * @param appToken the token that opens connections
     * @param patience how long an answer may take
     */
    public SlackApi(
            Executor executor, InstantSource clock, URI base, String botToken, String appToken, Duration patience) {
        this.secrets = new Secrets(botToken, appToken);
        this.pauses = new RateLimiter(clock);
        this.client = new ApiClient(executor, CONNECT, secrets, LONGEST_ANSWER);
        this.base = base;
        this.patience = patience;
        this.asBot = Map.of("Authorization", "Bearer " + botToken);
        this.asApp = Map.of("Authorization", "Bearer " + appToken);
    }

    /** Returns who the bot token belongs to. */
    public Bot me(Duration timeout) throws SlackError, ApiFailure, InterruptedException {
        JsonNode me = form("auth.test", asBot, Map.of(), timeout);
        String user = me.path("user_id").asText();
        if (user.isEmpty()) {
            throw new SlackError("auth.test", 200, "", ": no user", Optional.empty());
        }
        return new Bot(me.path("team_id").asText(), user, me.path("bot_id").asText());
    }

    /** Returns the address of a new connection, which may be used once. */
    public URI openConnection(Duration timeout) throws SlackError, ApiFailure, InterruptedException {
        String method = "apps.connections.open";
        String url = form(method, asApp, Map.of(), timeout).path("url").asText();
        try {
            URI address = URI.create(url);
            String scheme = String.valueOf(address.getScheme()).toLowerCase(Locale.ROOT);
            if (address.getHost() != null && (scheme.equals("ws") || scheme.equals("wss"))) {
                return address;
            }
        } catch (IllegalArgumentException notAnAddress) {
            // Said below without the address, which holds a ticket.
        }
        throw new SlackError(method, 200, "", ": no address of a connection", Optional.empty());
    }

    /** Begins a connection; completes once it is open. */
    public CompletableFuture<WebSocket> connect(URI address, WebSocket.Listener listener) {
        return client.http().newWebSocketBuilder().connectTimeout(CONNECT).buildAsync(address, listener);
    }

    /**
     * Asks for something and returns the answer.
     *
     * @throws SlackError where Slack says that it did not do it
     * @throws ApiFailure where there is no answer
     * @throws InterruptedException where the thread was interrupted; the call may have been carried out
     */
    public JsonNode get(String method, Map<String, String> fields) throws SlackError, ApiFailure, InterruptedException {
        return form(method, asBot, fields, patience);
    }

    /** Has something done, with arguments that are trees; what it throws is that of {@link #get}. */
    public JsonNode post(String method, Map<String, ?> arguments) throws SlackError, ApiFailure, InterruptedException {
        return result(ApiCall.post(method, address(method), asBot, arguments, patience));
    }

    /** Hands in a file's bytes at an address that Slack gave for them; the tokens stay here. */
    public void upload(URI to, WholeFile file, Duration timeout) throws SlackError, ApiFailure, InterruptedException {
        ApiAnswer answer =
                client.call(new ApiCall("upload", "POST", to, Map.of(), Optional.empty(), Optional.of(file), timeout));
        if (!answer.isSuccess()) {
            throw new SlackError("upload", answer.status(), "", "", answer.retryAfter());
        }
    }

    /** Begins to fetch a file with the bot's token; the caller closes the stream. */
    public HttpResponse<InputStream> download(URI from, Duration timeout) throws ApiFailure, InterruptedException {
        return client.fetch(ApiCall.get("file", from, asBot, timeout));
    }

    /** Returns whether an address is Slack's, so that what is the app's may be handed to it. */
    public boolean isSlacks(URI address) {
        String host = String.valueOf(address.getHost()).toLowerCase(Locale.ROOT);
        boolean slack = host.endsWith(".slack.com") || host.endsWith(".slack-edge.com");
        boolean same = host.equals(String.valueOf(base.getHost()).toLowerCase(Locale.ROOT))
                && address.getPort() == base.getPort()
                && base.getScheme().equalsIgnoreCase(address.getScheme());
        return same || (slack && "https".equalsIgnoreCase(address.getScheme()) && address.getUserInfo() == null);
    }

    /** Returns a text without the tokens. */
    public String scrub(String text) {
        return secrets.scrub(text);
    }

    private JsonNode form(String method, Map<String, String> as, Map<String, String> fields, Duration timeout)
            throws SlackError, ApiFailure, InterruptedException {
        return result(new ApiCall(
                method, "POST", address(method), as, Optional.empty(), Optional.of(new UrlEncoded(fields)), timeout));
    }

    private URI address(String method) {
        return URI.create(base + "/" + method);
    }

    /** Makes a call; while a pause lasts that Slack has asked for, its method is not called. */
    private JsonNode result(ApiCall call) throws SlackError, ApiFailure, InterruptedException {
        String method = call.name();
        Duration pause = pauses.paused(method);
        if (!pause.isZero()) {
            throw new SlackError(method, LIMITED, "ratelimited", ", and its pause is not over", Optional.of(pause));
        }
        ApiAnswer answer = client.call(call);
        if (answer.status() == LIMITED) {
            answer.retryAfter().ifPresent(time -> pauses.pause(method, time));
        }
        JsonNode body = Nulls.dropped(answer.body());
        if (answer.isSuccess() && body.path("ok").asBoolean(false)) {
            return body;
        }
        throw new SlackError(method, answer.status(), line(body.path("error").asText()), "", answer.retryAfter());
    }

    private String line(String words) {
        String line = secrets.scrub(words).replaceAll("\\s+", " ");
        return line.length() > LONGEST_WORDS ? line.substring(0, LONGEST_WORDS) : line;
    }
}
