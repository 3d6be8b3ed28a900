package dev.parley.bootstrap.wiring;

import dev.parley.application.gateway.RandomIds;
import dev.parley.application.port.Ids;
import dev.parley.home.GatewayThreads;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.concurrent.ThreadFactory;

/** Chance and threads of this process. */
public final class ProcessSurroundings {
    private static final Path HOSTNAME = Path.of("/proc/sys/kernel/hostname");

    private ProcessSurroundings() {}

    /** Returns ids that no other process makes. */
    public static Ids ids() {
        return new RandomIds(new SecureRandom());
    }

    /** Returns a factory of threads with names that begin with {@code parley-} and the given word; they keep no process alive. */
    public static ThreadFactory threads(String word) {
        return GatewayThreads.named(word);
    }

    /** Returns the name of this machine, as the machine itself knows it. */
    public static String machine() {
        try {
            return Files.readString(HOSTNAME).strip();
        } catch (IOException noSuchFile) {
            try {
                return InetAddress.getLocalHost().getHostName();
            } catch (UnknownHostException nameless) {
                return "localhost";
            }
        }
    }
}
