package dev.parley.adapter.whatsappcloud.webhook;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.Fields;

/**
 * The only path of the webhook. A post is taken where its signature fits the bytes as they came, which are looked at before anything else
 * is; it is answered with 200 once everything in it is settled, and with 503 where Meta is to post it again. A caller that is refused keeps
 * no connection. Safe for concurrent use.
 */
final class Door extends Handler.Abstract.NonBlocking {
    /** The most bytes that Meta posts at once. */
    static final int LARGEST = 3 << 20;

    static final String STOPPING = "The gateway stops; post it again.";
    static final String TOO_LARGE = "A post has at most " + LARGEST + " bytes.";

    private static final long BUDGET = 64L << 20;
    private static final Pattern CHALLENGE = Pattern.compile("[!-~]{1,200}");

    private final String path;
    private final Signature signature;
    private final byte[] verifyToken;
    private final Posts posts;
    private final Runnable wrongSignature;
    private final Patience patience;
    private final Bodies bodies;
    private final Set<Waiting> open = ConcurrentHashMap.newKeySet();
    private volatile boolean stopped;

    /**
     * How long the door waits.
     *
     * @param body for a body to come
     * @param settling for everything in a post to be settled; Meta waits no longer
     */
    record Patience(Duration body, Duration settling) {}

    /**
     * A door.
     *
     * @param path the only path
     * @param signature what posts are signed with
     * @param verifyToken what Meta shows when the webhook is set up
     * @param posts takes what is posted
     * @param wrongSignature told of each post whose signature does not fit
     * @param patience how long it waits
     */
    Door(
            String path,
            Signature signature,
            String verifyToken,
            Posts posts,
            Runnable wrongSignature,
            Patience patience) {
        this.path = path;
        this.signature = signature;
        this.verifyToken = verifyToken.getBytes(StandardCharsets.UTF_8);
        this.posts = posts;
        this.wrongSignature = wrongSignature;
        this.patience = patience;
        this.bodies = new Bodies(LARGEST, BUDGET, patience.body());
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        try {
            if (!path.equals(request.getHttpURI().getPath())) {
                throw new Refused(404, "There is nothing here.");
            }
            switch (request.getMethod()) {
                case "GET" -> answer(response, callback, 200, verified(Request.extractQueryParameters(request)));
                case "POST" -> post(request, response, callback);
                default -> {
                    response.getHeaders().put(HttpHeader.ALLOW, "GET, POST");
                    throw new Refused(405, "The webhook takes GET and POST.");
                }
            }
        } catch (Refused e) {
            refuse(response, callback, e);
        }
        return true;
    }

    /** A post that is not settled yet. */
    private static final class Waiting {
        final CompletableFuture<Boolean> outcome;

        Waiting(CompletableFuture<Boolean> outcome) {
            this.outcome = outcome;
        }
    }

    private String verified(Fields query) {
        String shown = Optional.ofNullable(query.getValue("hub.verify_token")).orElse("");
        boolean known = MessageDigest.isEqual(verifyToken, shown.getBytes(StandardCharsets.UTF_8));
        String challenge = Optional.ofNullable(query.getValue("hub.challenge")).orElse("");
        if (!"subscribe".equals(query.getValue("hub.mode"))
                || !known
                || !CHALLENGE.matcher(challenge).matches()) {
            throw new Refused(403, "This is not the verify token.");
        }
        return challenge;
    }

    private void post(Request request, Response response, Callback callback) {
        HttpFields headers = request.getHeaders();
        String signed = Optional.ofNullable(headers.get(Signature.HEADER))
                .orElseThrow(() -> new Refused(401, "The post is not signed."));
        if (headers.getLongField(HttpHeader.CONTENT_LENGTH) > LARGEST) {
            throw new Refused(413, TOO_LARGE);
        }
        var unused = bodies.read(request)
                .thenCompose(body -> settled(body, signed))
                .whenComplete((settled, failure) -> answer(response, callback, settled, failure));
    }

    private CompletableFuture<Boolean> settled(byte[] body, String signed) {
        if (!signature.fits(body, signed)) {
            wrongSignature.run();
            throw new Refused(401, "The signature does not fit.");
        }
        CompletableFuture<Boolean> outcome = posts.take(body)
                .toCompletableFuture()
                .copy()
                .completeOnTimeout(false, patience.settling().toMillis(), TimeUnit.MILLISECONDS);
        Waiting waiting = new Waiting(outcome);
        open.add(waiting);
        if (stopped) {
            outcome.complete(false);
        }
        return outcome.whenComplete((settled, failure) -> open.remove(waiting));
    }

    private static void answer(Response response, Callback callback, Boolean settled, Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        if (cause instanceof Refused refused) {
            refuse(response, callback, refused);
        } else if (cause != null) {
            callback.failed(cause);
        } else if (settled) {
            answer(response, callback, 200, "");
        } else {
            response.getHeaders().put(HttpHeader.RETRY_AFTER, "5");
            answer(response, callback, 503, "Not everything could be stored; post it again.");
        }
    }

    private static void refuse(Response response, Callback callback, Refused why) {
        response.getHeaders().put(HttpHeader.CONNECTION, "close");
        if (why.status() == 503) {
            response.getHeaders().put(HttpHeader.RETRY_AFTER, "5");
        }
        answer(response, callback, why.status(), String.valueOf(why.getMessage()));
    }

    private static void answer(Response response, Callback callback, int status, String text) {
        HttpFields.Mutable headers = response.getHeaders();
        headers.put(HttpHeader.CONTENT_TYPE, "text/plain; charset=utf-8");
        headers.put("X-Content-Type-Options", "nosniff");
        headers.put(HttpHeader.CACHE_CONTROL, "no-store");
        response.setStatus(status);
        response.write(true, ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)), callback);
    }

    /** Has Meta post everything again that is not settled yet. */
    void close() {
        stopped = true;
        bodies.stop();
        open.forEach(each -> each.outcome.complete(false));
    }
}
