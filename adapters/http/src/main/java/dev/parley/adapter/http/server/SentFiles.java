package dev.parley.adapter.http.server;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.MediaStore;
import dev.parley.domain.turn.Attachment;
import dev.parley.domain.turn.Outgoing;
import io.javalin.http.Context;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;

/** The files that messages carry: named in their rows, and handed out to whoever may read the messages. */
final class SentFiles {
    private static final Pattern MEDIA_TYPE = Pattern.compile("[a-z0-9.+-]{1,80}/[a-z0-9.+-]{1,80}");
    private static final String ANY = "application/octet-stream";

    private SentFiles() {}

    /** Adds the files of a message to what is told of it; nothing where it has none. */
    static ObjectNode named(ObjectNode row, Outgoing message) {
        List<Attachment> files = message.attachments();
        if (!files.isEmpty()) {
            ArrayNode rows = row.putArray("attachments");
            for (int i = 0; i < files.size(); i++) {
                Attachment file = files.get(i);
                rows.addObject()
                        .put("kind", file.kind())
                        .put("name", file.name().orElse(null))
                        .put("media_type", file.mediaType().orElse(null))
                        .put("description", file.description().orElse(null))
                        .put("bytes", file.bytes().orElse(null))
                        .put("url", url(message, i + 1));
            }
        }
        return row;
    }

    private static String url(Outgoing message, int number) {
        return Guard.MESSAGES + "?platform=" + encoded(message.platform().name()) + "&chat_id="
                + encoded(message.chatId()) + "&message=" + encoded(message.id().value()) + "&file=" + number;
    }

    /** Answers with one file of a message, counted from 1; it is for saving, whatever it holds. */
    static void write(Context ctx, Outgoing message, int number, MediaStore media) {
        if (number > message.attachments().size()) {
            throw new Rejected(404, "The message has " + message.attachments().size() + " files.");
        }
        Attachment file = message.attachments().get(number - 1);
        try (InputStream content = opened(file, media)) {
            ctx.status(200);
            ctx.contentType(file.mediaType()
                    .filter(type -> MEDIA_TYPE.matcher(type).matches())
                    .orElse(ANY));
            ctx.header("X-Content-Type-Options", "nosniff");
            ctx.header(
                    "Content-Disposition",
                    "attachment; filename*=UTF-8''" + encoded(file.name().orElse(file.kind())));
            file.bytes().ifPresent(size -> ctx.header("Content-Length", String.valueOf(size)));
            content.transferTo(ctx.res().getOutputStream());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static InputStream opened(Attachment file, MediaStore media) {
        try {
            return media.open(file);
        } catch (InvalidRequest gone) {
            throw new Rejected(410, String.valueOf(gone.getMessage()));
        }
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
