package dev.parley.fakes.loopback;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/** An HTTP server on loopback that can stop answering, and answers on the same port again. Safe for concurrent use. */
public final class LoopbackServer implements AutoCloseable {
    private static final int BACKLOG = 100;

    private final ExecutorService threads;
    private final Map<String, HttpHandler> handlers;
    private @Nullable HttpServer server;
    private int port;

    /**
     * A server that does not answer yet.
     *
     * @param name the name of its threads
     * @param handlers what answers, by the path that requests begin with
     */
    public LoopbackServer(String name, Map<String, HttpHandler> handlers) {
        this.threads = Executors.newCachedThreadPool(task -> {
            Thread thread = new Thread(task, name);
            thread.setDaemon(true);
            return thread;
        });
        this.handlers = Map.copyOf(handlers);
    }

    /** Returns its address; that of the last time while it does not answer. */
    public synchronized URI address() {
        return URI.create("http://127.0.0.1:" + port);
    }

    /** Begins to answer: the first time on a free port, then on the same one. Does nothing where it answers already. */
    public synchronized void start() {
        if (server != null) {
            return;
        }
        try {
            HttpServer made = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), BACKLOG);
            made.setExecutor(threads);
            handlers.forEach(made::createContext);
            made.start();
            server = made;
            port = made.getAddress().getPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns whether it has answered without a stop since this request came. */
    public synchronized boolean isServing(HttpExchange exchange) {
        return exchange.getHttpContext().getServer() == server;
    }

    /** Breaks off all connections, and answers nobody until {@link #start}. */
    public void stop() {
        HttpServer stopped;
        synchronized (this) {
            stopped = server;
            server = null;
        }
        if (stopped != null) {
            stopped.stop(0);
        }
    }

    /** Stops for ever. */
    @Override
    public void close() {
        stop();
        threads.shutdownNow();
    }
}
