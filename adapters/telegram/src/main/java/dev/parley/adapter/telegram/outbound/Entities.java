package dev.parley.adapter.telegram.outbound;

import dev.parley.adapter.kit.text.Span;
import dev.parley.adapter.kit.text.Style;
import dev.parley.adapter.kit.text.StyledText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** A text's styles as the Bot API's entities, whose places are UTF-16 units, as Java's are. */
final class Entities {
    /** Telegram looks at no more. */
    private static final int MOST = 100;

    private Entities() {}

    /** Returns the entities of a text; a style that Telegram has no entity for is left out. */
    static List<Map<String, Object>> of(StyledText text) {
        List<Map<String, Object>> entities = new ArrayList<>();
        for (Span span : text.spans()) {
            entity(span).filter(e -> entities.size() < MOST).ifPresent(entities::add);
        }
        return entities;
    }

    private static Optional<Map<String, Object>> entity(Span span) {
        Map<String, Object> entity = new LinkedHashMap<>();
        Style style = span.style();
        entity.put(
                "type",
                switch (style.kind()) {
                    case BOLD, HEADING -> "bold";
                    case ITALIC -> "italic";
                    case STRIKE -> "strikethrough";
                    case CODE -> "code";
                    case CODE_BLOCK -> "pre";
                    case LINK -> "text_link";
                    case QUOTE -> "blockquote";
                });
        entity.put("offset", span.start());
        entity.put("length", span.length());
        if (style.kind() == Style.Kind.LINK) {
            Optional<String> address = style.argument().filter(Entities::isAddress);
            address.ifPresent(url -> entity.put("url", url));
            return address.map(url -> entity);
        }
        if (style.kind() == Style.Kind.CODE_BLOCK) {
            style.argument().ifPresent(language -> entity.put("language", language));
        }
        return Optional.of(entity);
    }

    private static boolean isAddress(String url) {
        String lower = url.toLowerCase(Locale.ROOT);
        return lower.startsWith("https://") || lower.startsWith("http://") || lower.startsWith("tg://");
    }
}
