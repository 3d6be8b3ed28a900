package dev.parley.home.media;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * The type of a file by its first bytes. A table of our own: the few types that chats carry, of which the JDK knows half, are no reason
 * for a library that parses files of strangers.
 *
 * @param name the media type
 * @param ending the ending of files of this type, without the dot
 */
record MediaType(String name, String ending) {
    /** How many bytes are looked at. */
    static final int LOOKED_AT = 4096;

    private static final MediaType TEXT = new MediaType("text/plain", "txt");
    private static final MediaType BYTES = new MediaType("application/octet-stream", "bin");
    private static final MediaType ZIP = new MediaType("application/zip", "zip");
    private static final List<String> PICTURES_AND_SOUNDS = List.of("image/", "audio/", "video/");

    /** Documents that are archives inside: the bytes cannot tell them apart, so their sender is believed. */
    private static final Set<String> IN_ZIP = Set.of("docx", "xlsx", "pptx", "odt", "ods", "odp", "epub");

    /** What a file of a type begins with, at a place in it. */
    private record Mark(int at, String bytes, MediaType type) {
        boolean is(String head) {
            return head.startsWith(bytes, at);
        }
    }

    private static final List<Mark> MARKS = List.of(
            mark(0, "\u0089PNG\r\n\u001a\n", "image/png", "png"),
            mark(0, "\u00ff\u00d8\u00ff", "image/jpeg", "jpg"),
            mark(0, "GIF87a", "image/gif", "gif"),
            mark(0, "GIF89a", "image/gif", "gif"),
            mark(8, "WEBP", "image/webp", "webp"),
            mark(8, "WAVE", "audio/wav", "wav"),
            mark(0, "BM", "image/bmp", "bmp"),
            mark(4, "ftypheic", "image/heic", "heic"),
            mark(4, "ftypM4A", "audio/mp4", "m4a"),
            mark(4, "ftypqt", "video/quicktime", "mov"),
            mark(4, "ftyp", "video/mp4", "mp4"),
            mark(0, "\u001aE\u00df\u00a3", "video/webm", "webm"),
            mark(0, "OggS", "audio/ogg", "ogg"),
            mark(0, "fLaC", "audio/flac", "flac"),
            mark(0, "ID3", "audio/mpeg", "mp3"),
            mark(0, "\u00ff\u00fb", "audio/mpeg", "mp3"),
            mark(0, "\u00ff\u00f3", "audio/mpeg", "mp3"),
            mark(0, "#!AMR", "audio/amr", "amr"),
            mark(0, "%PDF-", "application/pdf", "pdf"),
            mark(0, "\u001f\u008b", "application/gzip", "gz"),
            mark(0, "7z\u00bc\u00af", "application/x-7z-compressed", "7z"));

    private static Mark mark(int at, String bytes, String name, String ending) {
        return new Mark(at, bytes, new MediaType(name, ending));
    }

    /**
     * Returns the type of a file.
     *
     * @param first its first bytes
     * @param declared the type its sender gives it
     * @param called its name
     */
    static MediaType of(byte[] first, Optional<String> declared, Optional<String> called) {
        String head = new String(first, StandardCharsets.ISO_8859_1);
        Optional<MediaType> known =
                MARKS.stream().filter(mark -> mark.is(head)).map(Mark::type).findFirst();
        if (known.isPresent()) {
            return known.get();
        }
        String ending = called.map(MediaType::endingOf).orElse("");
        if (head.startsWith("PK\u0003\u0004")) {
            return IN_ZIP.contains(ending) ? new MediaType(declared.orElse(ZIP.name), ending) : ZIP;
        }
        if (isText(first)) {
            boolean saysText = declared.filter(type -> type.startsWith("text/") || type.equals("application/json"))
                    .isPresent();
            return new MediaType(
                    saysText ? declared.get().split(";", 2)[0].strip() : TEXT.name,
                    ending.isEmpty() ? TEXT.ending : ending);
        }
        boolean plausible = declared.filter(type -> type.matches("[a-z]+/[a-z0-9.+-]+"))
                .filter(type -> PICTURES_AND_SOUNDS.stream().noneMatch(type::startsWith))
                .isPresent();
        return plausible ? new MediaType(declared.get(), ending.isEmpty() ? BYTES.ending : ending) : BYTES;
    }

    /** Returns what an attachment of this type is called. */
    String kind() {
        String group = name.substring(0, name.indexOf('/'));
        return switch (group) {
            case "image" -> "photo";
            case "audio", "video" -> group;
            default -> "document";
        };
    }

    private static String endingOf(String file) {
        int dot = file.lastIndexOf('.');
        String ending = dot < 0 ? "" : file.substring(dot + 1).toLowerCase(Locale.ROOT);
        return ending.matches("[a-z0-9]{1,8}") ? ending : "";
    }

    /** Text is UTF-8 without control characters; a character that is cut at the end of what is looked at is no fault. */
    private static boolean isText(byte[] first) {
        for (byte each : first) {
            if (each >= 0 && each < ' ' && each != '\n' && each != '\r' && each != '\t' && each != '\f') {
                return false;
            }
        }
        for (int cut = 0; cut < 4 && cut < first.length; cut++) {
            try {
                StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(first, 0, first.length - cut));
                return true;
            } catch (CharacterCodingException e) {
                if (first.length < LOOKED_AT) {
                    return false;
                }
            }
        }
        return false;
    }
}
