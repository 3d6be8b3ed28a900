package dev.parley.fakes.network;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;

/**
 * A TCP proxy on loopback that cuts, refuses and silences connections as planned, at any byte. It knows nothing of what passes
 * through, so it stands before any server, plain HTTP or web socket. Safe for concurrent use.
 */
public final class FaultyProxy implements AutoCloseable {
    private static final int PIECE = 4096;

    private final ServerSocket server;
    private final String host;
    private volatile int port;
    private final LongFunction<? extends Fault> plan;
    private final AtomicLong connections = new AtomicLong();
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final Object passing = new Object();
    private volatile boolean severed;
    private boolean silent;

    /**
     * Opens a proxy before a server.
     *
     * @param host the server's host
     * @param port the server's port
     * @param plan gives the fault of each connection by its number, from 0
     */
    public FaultyProxy(String host, int port, LongFunction<? extends Fault> plan) {
        this.host = host;
        this.port = port;
        this.plan = plan;
        try {
            this.server = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        start("faulty-proxy", this::accept);
    }

    /** Returns the proxy's port. */
    public int port() {
        return server.getLocalPort();
    }

    /** Returns how many connections were made so far. */
    public long connections() {
        return connections.get();
    }

    /** Has new connections lead to another port of the same host, and cuts those that there are. */
    public void leadTo(int another) {
        port = another;
        cutAll();
    }

    /** Cuts all connections and refuses new ones until {@link #restore}: the network is away. */
    public void sever() {
        severed = true;
        cutAll();
    }

    /** Holds back every byte, in both directions and on new connections too, until {@link #restore}: the network loses what is sent. */
    public void silence() {
        synchronized (passing) {
            silent = true;
        }
    }

    /** Takes connections again, and passes on what was held back, as a network does that sends again what was lost. */
    public void restore() {
        severed = false;
        speak();
    }

    private void speak() {
        synchronized (passing) {
            silent = false;
            passing.notifyAll();
        }
    }

    private void waitForSpeech() throws IOException {
        synchronized (passing) {
            while (silent) {
                try {
                    passing.wait();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new IOException("Interrupted while the network was silent.", e);
                }
            }
        }
    }

    /** Resets every open connection; new ones are taken. */
    public void cutAll() {
        open.forEach(FaultyProxy::reset);
    }

    @Override
    public void close() {
        severed = true;
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        cutAll();
        speak();
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket client = server.accept();
                long number = connections.getAndIncrement();
                start(
                        "faulty-proxy-" + number,
                        () -> serve(client, severed ? new Fault.Refused() : plan.apply(number)));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void serve(Socket client, Fault fault) {
        open.add(client);
        if (fault instanceof Fault.Refused) {
            leave(client);
            return;
        }
        try {
            Socket target = new Socket(host, port);
            open.add(target);
            if (severed) {
                leave(client);
                leave(target);
                return;
            }
            long answer = fault instanceof Fault.CutAnswer c
                    ? c.bytes()
                    : fault instanceof Fault.HalfOpen h ? h.bytes() : Long.MAX_VALUE;
            boolean silent = fault instanceof Fault.HalfOpen;
            start("faulty-proxy-answer", () -> pass(target, client, answer, silent));
            pass(client, target, fault instanceof Fault.CutRequest c ? c.bytes() : Long.MAX_VALUE, false);
        } catch (IOException unreachable) {
            leave(client);
        }
    }

    /** Passes bytes on until the limit or the end; then resets both ends, or leaves them open and silent. */
    private void pass(Socket from, Socket to, long limit, boolean silent) {
        long left = limit;
        byte[] piece = new byte[PIECE];
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            while (true) {
                int read = in.read(piece);
                if (read < 0) {
                    to.shutdownOutput();
                    return;
                }
                waitForSpeech();
                int passed = (int) Math.min(read, left);
                out.write(piece, 0, passed);
                out.flush();
                left -= passed;
                if (passed < read) {
                    break;
                }
            }
            if (silent) {
                return;
            }
        } catch (IOException ended) {
            // One end has gone: so does the other.
        }
        leave(from);
        leave(to);
    }

    private void leave(Socket socket) {
        reset(socket);
        open.remove(socket);
    }

    private static void reset(Socket socket) {
        try {
            socket.setSoLinger(true, 0);
        } catch (SocketException closed) {
            return;
        }
        try {
            socket.close();
        } catch (IOException closed) {
            // It has gone either way.
        }
    }

    private static void start(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
    }
}
