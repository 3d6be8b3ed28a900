package dev.parley.bootstrap.wiring;

import dev.parley.application.port.Cluster;
import dev.parley.application.port.InvalidRequest;
import dev.parley.home.PrivateFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Base64;

/**
 * The tokens of the HTTP interface, which are the same at all nodes: kept in the store, with a copy in each home. A node that comes to
 * others takes theirs; one that finds nobody alive brings its own for all.
 *
 * @param cluster the gateways that share the store
 */
record SharedTokens(Cluster cluster) {
    private static final int BYTES = 32;

    /**
     * Makes the token in a file that of all nodes, or that of all nodes the one in the file.
     *
     * @throws InvalidRequest where the file cannot be read or written
     */
    void adopt(Path file) {
        try {
            boolean mine = Files.exists(file);
            String own = mine ? Files.readString(file).strip() : fresh();
            if (own.isEmpty()) {
                return;
            }
            String shared = cluster.share("token:" + file.getFileName(), own, mine && !isAnybodyAlive());
            if (!mine || !shared.equals(own)) {
                PrivateFiles.replace(file, shared + "\n");
            }
        } catch (IOException e) {
            throw new InvalidRequest(
                    file + " cannot be given the token that all nodes have (" + e + "); check the home's permissions.");
        }
    }

    private boolean isAnybodyAlive() {
        Instant now = cluster.now();
        return cluster.nodes().stream()
                .anyMatch(node -> node.state().isLive() && !node.leaseUntil().isBefore(now));
    }

    private static String fresh() {
        byte[] random = new byte[BYTES];
        new SecureRandom().nextBytes(random);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(random);
    }
}
