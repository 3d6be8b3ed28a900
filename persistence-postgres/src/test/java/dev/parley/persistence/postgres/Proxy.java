package dev.parley.persistence.postgres;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/** Stands between a store and its server, and can fall silent: what is sent arrives nowhere, and nobody is told. */
final class Proxy implements AutoCloseable {
    private final ServerSocket socket;
    private final String host;
    private final int port;
    private final List<Socket> open = new CopyOnWriteArrayList<>();
    private final AtomicLong roundTrips = new AtomicLong();
    private volatile boolean silent;

    Proxy(String hosts) {
        String[] parts = hosts.split(",", 2)[0].split(":", 2);
        this.host = parts[0];
        this.port = Integer.parseInt(parts[1]);
        try {
            this.socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        daemon(this::accept);
    }

    String hosts() {
        return "127.0.0.1:" + socket.getLocalPort();
    }

    /** Returns how often the server was asked and has answered, on all connections. */
    long roundTrips() {
        return roundTrips.get();
    }

    void silent(boolean now) {
        silent = now;
        if (!now) {
            // What was swallowed is lost, so the connections are of no use any more.
            open.forEach(Proxy::close);
            open.clear();
        }
    }

    private void accept() {
        while (!socket.isClosed()) {
            try {
                Socket client = socket.accept();
                Socket server = new Socket(host, port);
                open.add(client);
                open.add(server);
                AtomicBoolean asking = new AtomicBoolean();
                daemon(() -> pump(client, server, () -> asking.set(true)));
                daemon(() -> pump(server, client, () -> {
                    if (asking.getAndSet(false)) {
                        roundTrips.incrementAndGet();
                    }
                }));
            } catch (IOException e) {
                // The next one is accepted, or the socket is closed.
            }
        }
    }

    private void pump(Socket from, Socket to, Runnable passing) {
        byte[] buffer = new byte[16_384];
        try (InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream()) {
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                if (!silent) {
                    passing.run();
                    out.write(buffer, 0, read);
                }
            }
        } catch (IOException e) {
            // The other side is told by closing.
        }
        close(from);
        close(to);
    }

    private static void daemon(Runnable task) {
        Thread thread = new Thread(task, "proxy");
        thread.setDaemon(true);
        thread.start();
    }

    private static void close(Socket each) {
        try {
            each.close();
        } catch (IOException e) {
            // It is closed.
        }
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        open.forEach(Proxy::close);
    }
}
