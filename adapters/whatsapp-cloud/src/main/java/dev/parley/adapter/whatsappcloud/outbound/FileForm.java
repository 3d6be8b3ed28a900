package dev.parley.adapter.whatsappcloud.outbound;

import dev.parley.domain.turn.Attachment;
import java.util.Locale;
import java.util.Optional;

/** As what WhatsApp takes a file, which its type and its size decide. */
enum FileForm {
    /** A picture. */
    IMAGE(5L << 20),
    /** A film. */
    VIDEO(16L << 20),
    /** Sound, below which no words stand. */
    AUDIO(16L << 20),
    /** Anything else that it takes. */
    DOCUMENT(100L << 20);

    private final long largest;

    FileForm(long largest) {
        this.largest = largest;
    }

    /** Returns as what a file is sent; absent where WhatsApp takes it as nothing. Texts of any kind go as plain ones. */
    static Optional<FileForm> of(Attachment attachment) {
        return ofType(type(attachment)).filter(as -> attachment.bytes().orElse(0L) <= as.largest);
    }

    private static Optional<FileForm> ofType(String type) {
        return switch (type) {
            case "image/jpeg", "image/png" -> Optional.of(IMAGE);
            case "video/mp4", "video/3gpp" -> Optional.of(VIDEO);
            case "audio/aac", "audio/amr", "audio/mpeg", "audio/mp4", "audio/ogg" -> Optional.of(AUDIO);
            case "text/plain",
                    "application/pdf",
                    "application/msword",
                    "application/vnd.ms-excel",
                    "application/vnd.ms-powerpoint",
                    "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
                    "application/vnd.openxmlformats-officedocument.presentationml.presentation" ->
                Optional.of(DOCUMENT);
            default -> Optional.empty();
        };
    }

    /** Returns the media type that a file is sent with. */
    static String type(Attachment attachment) {
        String said = attachment.mediaType().orElse("").toLowerCase(Locale.ROOT);
        String type = said.replaceAll(";.*", "").strip();
        boolean text = type.startsWith("text/") || type.equals("application/json") || type.equals("application/xml");
        return text ? "text/plain" : type;
    }

    /** Returns whether words may stand below it. */
    boolean takesCaption() {
        return this != AUDIO;
    }

    /** Returns Meta's word for it. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
