package dev.parley.bootstrap.wiring;

import dev.parley.application.gateway.RandomIds;
import dev.parley.application.port.Ids;
import dev.parley.home.GatewayThreads;
import java.security.SecureRandom;
import java.util.concurrent.ThreadFactory;

/** Chance and threads of this process. */
public final class ProcessSurroundings {
    private ProcessSurroundings() {}

    /** Returns ids that no other process makes. */
    public static Ids ids() {
        return new RandomIds(new SecureRandom());
    }

    /** Returns a factory of threads with names that begin with {@code parley-} and the given word; they keep no process alive. */
    public static ThreadFactory threads(String word) {
        return GatewayThreads.named(word);
    }
}
