package dev.parley.adapter.kit.text;

import java.util.Locale;
import java.util.Set;

/** The markup of platforms. */
public final class Dialects {
    /** Slack's mrkdwn. */
    public static final Dialect SLACK = new Markup() {
        @Override
        String open(Style style, String inside) {
            return switch (style.kind()) {
                case BOLD, HEADING -> "*";
                case ITALIC -> "_";
                case STRIKE -> "~";
                case CODE -> "`";
                case CODE_BLOCK -> "```\n";
                case LINK -> "<" + entities(style.argument().orElse("")).replace("|", "%7C") + "|";
                case QUOTE -> "";
            };
        }

        @Override
        String close(Style style, String inside) {
            return switch (style.kind()) {
                case CODE_BLOCK -> fenceEnd(inside);
                case LINK -> ">";
                default -> open(style, inside);
            };
        }

        @Override
        String escaped(char c, boolean lineStart) {
            return entities(String.valueOf(c));
        }

        @Override
        String code(char c) {
            return entities(String.valueOf(c));
        }
    };

    /** Discord's Markdown. */
    public static final Dialect DISCORD = new Markup() {
        @Override
        String open(Style style, String inside) {
            return switch (style.kind()) {
                case BOLD, HEADING -> "**";
                case ITALIC -> "*";
                case STRIKE -> "~~";
                case CODE -> inside.contains("`") ? "`` " : "`";
                case CODE_BLOCK -> "```" + style.argument().orElse("") + "\n";
                case LINK -> "[";
                case QUOTE -> "";
            };
        }

        @Override
        String close(Style style, String inside) {
            return switch (style.kind()) {
                case CODE -> inside.contains("`") ? " ``" : "`";
                case CODE_BLOCK -> fenceEnd(inside);
                case LINK -> "](" + style.argument().orElse("").replace(")", "%29") + ")";
                default -> open(style, inside);
            };
        }

        @Override
        String escaped(char c, boolean lineStart) {
            boolean always = "\\*_~`|[]".indexOf(c) >= 0;
            return always || (lineStart && (c == '>' || c == '#' || c == '-')) ? "\\" + c : String.valueOf(c);
        }
    };

    /** WhatsApp's marks. It has no way to escape one and no named links: the address follows its words in brackets. */
    public static final Dialect WHATSAPP = new Markup() {
        @Override
        String open(Style style, String inside) {
            return switch (style.kind()) {
                case BOLD, HEADING -> "*";
                case ITALIC -> "_";
                case STRIKE -> "~";
                case CODE -> "`";
                case CODE_BLOCK -> "```";
                case LINK, QUOTE -> "";
            };
        }

        @Override
        String close(Style style, String inside) {
            if (style.kind() == Style.Kind.LINK) {
                String address = style.argument().orElse("");
                return address.isEmpty() || address.equals(inside) ? "" : " (" + address + ")";
            }
            return open(style, inside);
        }

        @Override
        String escaped(char c, boolean lineStart) {
            return String.valueOf(c);
        }
    };

    /** HTML as Matrix clients show it. Links with a scheme that is not safe in a chat are written as plain words. */
    public static final Dialect HTML = new Markup() {
        private static final Set<String> SCHEMES = Set.of("http", "https", "mailto", "ftp", "magnet");

        @Override
        String open(Style style, String inside) {
            return switch (style.kind()) {
                case BOLD -> "<strong>";
                case HEADING -> "<h4>";
                case ITALIC -> "<em>";
                case STRIKE -> "<del>";
                case CODE -> "<code>";
                case CODE_BLOCK ->
                    "<pre><code"
                            + style.argument()
                                    .map(language -> " class=\"language-" + attribute(language) + "\"")
                                    .orElse("")
                            + ">";
                case LINK ->
                    safe(style) ? "<a href=\"" + attribute(style.argument().orElse("")) + "\">" : "";
                case QUOTE -> "<blockquote>";
            };
        }

        @Override
        String close(Style style, String inside) {
            return switch (style.kind()) {
                case BOLD -> "</strong>";
                case HEADING -> "</h4>";
                case ITALIC -> "</em>";
                case STRIKE -> "</del>";
                case CODE -> "</code>";
                case CODE_BLOCK -> "</code></pre>";
                case LINK -> safe(style) ? "</a>" : "";
                case QUOTE -> "</blockquote>";
            };
        }

        @Override
        String escaped(char c, boolean lineStart) {
            return attribute(String.valueOf(c));
        }

        @Override
        String code(char c) {
            return attribute(String.valueOf(c));
        }

        @Override
        String quotedLine() {
            return "";
        }

        @Override
        String lineEnd() {
            return "<br>";
        }

        private static boolean safe(Style style) {
            String address = style.argument().orElse("");
            int colon = address.indexOf(':');
            return colon > 0 && SCHEMES.contains(address.substring(0, colon).toLowerCase(Locale.ROOT));
        }

        private static String attribute(String text) {
            return entities(text).replace("\"", "&quot;");
        }
    };

    private Dialects() {}

    private static String entities(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }

    private static String fenceEnd(String inside) {
        return inside.endsWith("\n") ? "```" : "\n```";
    }
}
