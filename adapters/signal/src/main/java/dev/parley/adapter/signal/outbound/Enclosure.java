package dev.parley.adapter.signal.outbound;

import dev.parley.adapter.kit.media.SentFile;
import dev.parley.application.port.DeliveryFailed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;

/**
 * A file as the daemon takes it. The daemon may run as somebody else who cannot read the home, so a file is handed over as data, and by
 * its path only where it is large.
 */
final class Enclosure {
    private static final long MOST_DATA = 8L << 20;

    private Enclosure() {}

    /**
     * Returns a file as a parameter.
     *
     * @throws DeliveryFailed where it cannot be read
     */
    static String of(SentFile file, Path path) {
        try {
            if (Files.size(path) > MOST_DATA) {
                return path.toAbsolutePath().toString();
            }
            return "data:" + plain(file.mediaType()) + ";filename=" + plain(file.name()) + ";base64,"
                    + Base64.getEncoder().encodeToString(Files.readAllBytes(path));
        } catch (IOException e) {
            throw new DeliveryFailed(DeliveryFailed.Kind.REJECTED, "A file that was to be sent cannot be read.", e);
        }
    }

    private static String plain(String text) {
        return text.replaceAll("[;,%\\s\\p{Cntrl}]", "_");
    }
}
