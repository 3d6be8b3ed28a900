package dev.parley.home.media;

import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.MediaStore;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.domain.text.OneLine;
import dev.parley.domain.turn.Attachment;
import dev.parley.home.HomeDirectory;
import dev.parley.home.PrivateFiles;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A media store in the directory {@code media} of the home. A file is named by the hash of its bytes and an ending that follows from its
 * type, so nothing its sender says becomes part of a path. Files that were not handed in for as long as they are kept are removed; while
 * there is no room for a file it is refused.
 */
public final class FileMedia implements MediaStore {
    private static final int NAME = 200;
    private static final String COMING = ".coming";

    private final Path directory;
    private final Limits limits;
    private final InstantSource clock;
    private long total = -1;
    private Instant swept = Instant.MIN;

    /**
     * How much is kept.
     *
     * @param largest the most bytes of a file
     * @param total the most bytes of all files
     * @param keep how long a file is kept after it was handed in last
     */
    public record Limits(long largest, long total, Duration keep) {
        /** What holds where nothing is configured: 25 MB, 2 GB, 30 days. */
        public static final Limits DEFAULT = new Limits(25_000_000, 2_000_000_000, Duration.ofDays(30));
    }

    /** A store in this home. */
    public FileMedia(HomeDirectory home, Limits limits, InstantSource clock) {
        this.directory = home.path().toAbsolutePath().normalize().resolve("media");
        this.limits = limits;
        this.clock = clock;
    }

    @Override
    public long largest() {
        return limits.largest();
    }

    @Override
    public Attachment keep(InputStream content, Attachment named) {
        try {
            PrivateFiles.createDirectories(directory);
            Path coming = Files.createTempFile(directory, COMING, "");
            try {
                HomeDirectory.ownersOnly(coming);
                return keep(content, named, coming);
            } finally {
                Files.deleteIfExists(coming);
            }
        } catch (IOException e) {
            throw new StorageUnavailable(
                    "A file cannot be kept in " + directory + " (" + HomeDirectory.reason(e)
                            + "); check its permissions and the disk's free space.",
                    e);
        }
    }

    private Attachment keep(InputStream content, Attachment named, Path coming) throws IOException {
        MessageDigest digest = sha256();
        long size;
        try (OutputStream out = Files.newOutputStream(coming)) {
            size = copy(new DigestInputStream(content, digest), out);
        }
        if (size == 0) {
            throw new InvalidRequest("The file " + called(named) + " is empty; send it again.");
        }
        MediaType type = MediaType.of(head(coming), named.mediaType(), named.name());
        String hash = HexFormat.of().formatHex(digest.digest());
        Path kept = directory.resolve(hash.substring(0, 2)).resolve(hash + "." + type.ending());
        put(coming, kept, size);
        return new Attachment(
                type.kind(),
                kept.toString(),
                named.name().map(name -> OneLine.of(name, NAME)).filter(name -> !name.isEmpty()),
                Optional.of(type.name()),
                named.description(),
                Optional.of(size));
    }

    private long copy(InputStream content, OutputStream out) throws IOException {
        byte[] buffer = new byte[64 * 1024];
        long size = 0;
        for (int read = content.read(buffer); read >= 0; read = content.read(buffer)) {
            size += read;
            if (size > limits.largest()) {
                throw new InvalidRequest("The file is too large: files of at most " + limits.largest()
                        + " bytes are kept (media.max_file_bytes).");
            }
            out.write(buffer, 0, read);
        }
        return size;
    }

    private synchronized void put(Path coming, Path kept, long size) throws IOException {
        sweep();
        if (!Files.exists(kept)) {
            if (total + size > limits.total()) {
                throw new StorageUnavailable(
                        "There is no room for a file of " + size + " bytes in " + directory + ", which holds " + total
                                + " of " + limits.total()
                                + " bytes; remove files there or raise media.max_total_bytes.",
                        null);
            }
            try (FileChannel channel = FileChannel.open(coming, StandardOpenOption.WRITE)) {
                channel.force(true);
            }
            PrivateFiles.createDirectories(
                    directory.resolve(directory.relativize(kept).subpath(0, 1)));
            Files.move(coming, kept, StandardCopyOption.ATOMIC_MOVE);
            total += size;
        }
        Files.setLastModifiedTime(kept, FileTime.from(clock.instant()));
    }

    /** Removes what is kept no longer, at most once an hour, and counts what is left. */
    private void sweep() throws IOException {
        Instant now = clock.instant();
        if (total >= 0 && swept.plus(Duration.ofHours(1)).isAfter(now)) {
            return;
        }
        long left = 0;
        for (Path file : files()) {
            try {
                BasicFileAttributes is = Files.readAttributes(file, BasicFileAttributes.class);
                boolean coming = directory.relativize(file).toString().startsWith(COMING);
                Duration keep = coming ? Duration.ofHours(1) : limits.keep();
                if (Duration.between(is.lastModifiedTime().toInstant(), now).compareTo(keep) > 0) {
                    Files.deleteIfExists(file);
                } else if (!coming) {
                    left += is.size();
                }
            } catch (NoSuchFileException gone) {
                // Another process removed it.
            }
        }
        total = left;
        swept = now;
    }

    private List<Path> files() throws IOException {
        List<Path> files = new ArrayList<>();
        try (Stream<Path> all = Files.walk(directory, 2)) {
            all.filter(Files::isRegularFile).forEach(files::add);
        }
        return files;
    }

    @Override
    public InputStream open(Attachment attachment) {
        try {
            Path file = Path.of(attachment.location()).normalize();
            boolean ours = file.getNameCount() == directory.getNameCount() + 2
                    && file.startsWith(directory)
                    && file.toString().equals(attachment.location());
            if (!ours || !Files.isRegularFile(file)) {
                throw new InvalidRequest("The file " + called(attachment) + " is not kept here, or not any more.");
            }
            return Files.newInputStream(file);
        } catch (InvalidPathException e) {
            throw new InvalidRequest("The file " + called(attachment) + " is not kept here: its place is no path.", e);
        } catch (IOException e) {
            throw new StorageUnavailable(
                    "The file " + called(attachment) + " cannot be read (" + HomeDirectory.reason(e) + ").", e);
        }
    }

    private static byte[] head(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return in.readNBytes(MediaType.LOOKED_AT);
        }
    }

    private static String called(Attachment attachment) {
        return attachment
                .name()
                .map(name -> "\"" + OneLine.of(name, NAME) + "\"")
                .orElse("without a name");
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java has SHA-256.", e);
        }
    }
}
