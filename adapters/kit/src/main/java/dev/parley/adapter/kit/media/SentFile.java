package dev.parley.adapter.kit.media;

import dev.parley.application.port.DeliveryFailed;
import dev.parley.domain.text.OneLine;
import dev.parley.domain.turn.Attachment;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A file that an outgoing message carries. Where it cannot be sent, people are told so in its place, as a part of the message like any
 * other: what the message says beside it is sent all the same.
 *
 * @param attachment the file, as it is stored with the message
 */
public record SentFile(Attachment attachment) {
    private static final int NAME = 200;
    private static final String ANY = "application/octet-stream";

    /** Returns what people see it called. */
    public String name() {
        return attachment
                .name()
                .or(() -> path().map(path -> String.valueOf(path.getFileName())))
                .map(name -> OneLine.of(name, NAME))
                .filter(name -> !name.isBlank())
                .orElse(attachment.kind());
    }

    /** Returns its media type. */
    public String mediaType() {
        return attachment.mediaType().orElse(ANY);
    }

    /** Returns where it lies; absent where its place is no path. */
    public Optional<Path> path() {
        try {
            return Optional.of(Path.of(attachment.location()));
        } catch (InvalidPathException notAPath) {
            return Optional.empty();
        }
    }

    /**
     * Sends it, or words in its place: where it is not there any more, and where the platform does not take it.
     *
     * @param file sends the file that lies there
     * @param words sends a line of text in place of the file
     * @throws DeliveryFailed where neither was taken, or trying again may help
     */
    public <T> T send(Function<Path, T> file, Function<String, T> words) {
        Optional<Path> there = path().filter(Files::isReadable).filter(Files::isRegularFile);
        if (there.isEmpty()) {
            return words.apply("[" + name() + ": this file is not kept any more.]");
        }
        return taken(() -> file.apply(there.get()))
                .orElseGet(() -> words.apply("[" + name() + ": this file could not be sent here.]"));
    }

    /** Returns what a send returns; absent where the platform takes no such file. */
    private static <T> Optional<T> taken(Supplier<T> send) {
        try {
            return Optional.of(send.get());
        } catch (DeliveryFailed e) {
            if (e.kind() == DeliveryFailed.Kind.REJECTED || e.kind() == DeliveryFailed.Kind.FORBIDDEN) {
                return Optional.empty();
            }
            throw e;
        }
    }
}
