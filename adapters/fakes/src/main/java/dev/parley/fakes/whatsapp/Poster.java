package dev.parley.fakes.whatsapp;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Posts to a webhook as Meta does: signed, again whenever it is not answered with 200, more and more rarely, and no more after seven days.
 * Safe for concurrent use.
 */
final class Poster implements AutoCloseable {
    private static final Duration FIRST = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofHours(1);
    private static final Duration KEPT = Duration.ofDays(7);
    private static final long LOOK_MILLIS = 5;

    private final String appSecret;
    private final InstantSource clock;
    private final HttpClient client;
    private final List<Post> posts = new ArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "fake-whatsapp");
        thread.setDaemon(true);
        return thread;
    });
    private Optional<URI> webhook = Optional.empty();
    private Duration patience = Duration.ofSeconds(10);
    private boolean oneAtATime;
    private boolean silent;
    private boolean closed;
    private long begun;

    private static final class Post {
        final String queue;
        final byte[] body;
        final Instant since;
        final CompletableFuture<Boolean> first = new CompletableFuture<>();
        Duration pause = FIRST;
        Instant due;
        boolean underWay;

        Post(String queue, byte[] body, Instant now) {
            this.queue = queue;
            this.body = body;
            this.since = now;
            this.due = now;
        }
    }

    Poster(String appSecret, InstantSource clock) {
        this.appSecret = appSecret;
        this.clock = clock;
        this.client = HttpClient.newBuilder()
                .executor(threads)
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(Duration.ofSeconds(5))
                .build();
        threads.execute(this::run);
    }

    synchronized void webhook(URI address) {
        webhook = Optional.of(address);
        repeat();
    }

    synchronized void patience(Duration time) {
        patience = time;
    }

    synchronized void oneAtATime() {
        oneAtATime = true;
    }

    synchronized void silent(boolean now) {
        silent = now;
        notifyAll();
    }

    /** Posts at once what waits to be posted again. */
    synchronized void repeat() {
        posts.forEach(post -> post.due = clock.instant());
        notifyAll();
    }

    /** Posts something; completes with whether the first answer was 200. */
    synchronized CompletableFuture<Boolean> post(String queue, JsonNode body) {
        return post(queue, body.toString().getBytes(StandardCharsets.UTF_8));
    }

    synchronized CompletableFuture<Boolean> post(String queue, byte[] body) {
        Post post = new Post(queue, body, clock.instant());
        posts.add(post);
        notifyAll();
        return post.first;
    }

    synchronized long posts() {
        return begun;
    }

    /** Returns how many posts of queues that begin so are not settled. */
    synchronized int unsettled(String queue) {
        posts.removeIf(this::isOld);
        return (int) posts.stream().filter(post -> post.queue.startsWith(queue)).count();
    }

    private boolean isOld(Post post) {
        return !clock.instant().isBefore(post.since.plus(KEPT));
    }

    private void run() {
        while (true) {
            synchronized (this) {
                if (closed) {
                    return;
                }
                due().forEach(post -> threads.execute(() -> deliver(post)));
                try {
                    wait(posts.isEmpty() ? 0 : LOOK_MILLIS);
                } catch (InterruptedException e) {
                    return;
                }
            }
        }
    }

    private List<Post> due() {
        posts.removeIf(post -> !post.underWay && isOld(post));
        List<Post> due = new ArrayList<>();
        Set<String> heads = new HashSet<>();
        for (Post post : silent || webhook.isEmpty() ? List.<Post>of() : posts) {
            boolean first = heads.add(post.queue) || !oneAtATime;
            if (first && !post.underWay && !clock.instant().isBefore(post.due)) {
                post.underWay = true;
                begun++;
                due.add(post);
            }
        }
        return due;
    }

    private void deliver(Post post) {
        boolean taken = send(post.body, Optional.of(signature(post.body))) == 200;
        post.first.complete(taken);
        synchronized (this) {
            post.underWay = false;
            if (taken) {
                posts.remove(post);
            } else {
                post.due = clock.instant().plus(post.pause);
                Duration longer = post.pause.multipliedBy(2);
                post.pause = longer.compareTo(LONGEST) > 0 ? LONGEST : longer;
            }
            notifyAll();
        }
    }

    /** Posts once; returns the answer's status, 0 where there is none. */
    int send(byte[] body, Optional<String> signature) {
        HttpRequest.Builder request;
        synchronized (this) {
            request = HttpRequest.newBuilder(webhook.orElseThrow()).timeout(patience);
        }
        request.header("Content-Type", "application/json")
                .header("User-Agent", "facebookexternalua")
                .POST(HttpRequest.BodyPublishers.ofByteArray(body));
        signature.ifPresent(value -> request.header("X-Hub-Signature-256", value));
        try {
            return client.send(request.build(), HttpResponse.BodyHandlers.discarding())
                    .statusCode();
        } catch (IOException e) {
            return 0;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return 0;
        }
    }

    /** Shows a challenge and returns what came back; absent where that was no success. */
    Optional<String> verify(String query) {
        URI address;
        synchronized (this) {
            address = URI.create(webhook.orElseThrow() + "?" + query);
        }
        try {
            HttpResponse<String> answer = client.send(
                    HttpRequest.newBuilder(address)
                            .timeout(Duration.ofSeconds(60))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            return Optional.of(answer.body()).filter(text -> answer.statusCode() == 200);
        } catch (IOException e) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    String signature(byte[] body) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(appSecret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
            return "sha256=" + HexFormat.of().formatHex(mac.doFinal(body));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            notifyAll();
        }
        threads.shutdownNow();
    }
}
