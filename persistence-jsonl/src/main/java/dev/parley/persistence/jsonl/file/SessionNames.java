package dev.parley.persistence.jsonl.file;

import dev.parley.application.port.InvalidRequest;
import java.nio.charset.StandardCharsets;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The names of the session files of one agent and one sender: {@code {agent}_{sender_slug}_{seq}.jsonl}, with the slug of the title
 * behind the number once there is one (storage 7.2, 7.3).
 *
 * @param agent the agent, as it is
 * @param slug the sender's slug, possibly empty
 */
public record SessionNames(String agent, String slug) {
    /** The ending of session files. */
    public static final String ENDING = ".jsonl";

    private static final long GREATEST = 4_294_967_295L;
    private static final int TITLE_CHARACTERS = 60;
    private static final int TITLE_BYTES = 150;
    private static final int SENDER_BYTES = 120;
    /** What file systems take. */
    private static final int NAME_BYTES = 255;

    private static final Pattern PARTS = Pattern.compile("(.+?)_([^_]*)_([0-9]+)(?:_[^_]+)*\\.jsonl", Pattern.DOTALL);

    public SessionNames {
        if (agent.isEmpty()
                || agent.equals(".")
                || agent.equals("..")
                || agent.chars().anyMatch(c -> c == '/' || c == '\\' || c == 0)) {
            throw new InvalidRequest("The agent name \"" + agent
                    + "\" cannot be part of a file name: use letters, digits, '-' and '_'.");
        }
    }

    /** Returns the names for an agent and a sender, whose slug is cut where no file could have the name. */
    public static SessionNames of(String agent, String sender) {
        return new SessionNames(agent, shortened(slugOf(sender), Integer.MAX_VALUE, SENDER_BYTES));
    }

    /**
     * Returns the agent and the sender's slug that a file name tells, or empty texts where it tells none. Where several readings
     * are possible the shortest agent is taken.
     */
    public static String[] partsOf(String fileName) {
        Matcher parts = PARTS.matcher(fileName);
        return parts.matches() ? new String[] {parts.group(1), parts.group(2)} : new String[] {"", ""};
    }

    /** Returns what all these names begin with. */
    public String prefix() {
        return agent + "_" + slug + "_";
    }

    /** Returns the number in a name, or nothing where it is none of these names or its number is out of range. */
    public OptionalLong numberOf(String fileName) {
        return fileName.startsWith(prefix()) && fileName.endsWith(ENDING)
                ? numberAt(fileName, prefix().length())
                : OptionalLong.empty();
    }

    /** Returns the name with this number and without a title. */
    public String withNumber(long number) {
        return prefix() + number + ENDING;
    }

    /** Returns the name with the digits of an existing name and a title; without a title slug where the title leaves none. */
    public String titled(String fileName, String title) {
        int from = prefix().length();
        int to = from;
        while (to < fileName.length() && isDigit(fileName.charAt(to))) {
            to++;
        }
        String stem = fileName.substring(0, to);
        int left = NAME_BYTES - bytes(stem) - 1 - bytes(ENDING);
        String titleSlug = shortened(slugOf(title), TITLE_CHARACTERS, Math.min(TITLE_BYTES, left));
        return titleSlug.isEmpty() ? stem + ENDING : stem + "_" + titleSlug + ENDING;
    }

    /** Returns the number that a text has at a place, read from digits, or absent if it is missing or out of range. */
    static OptionalLong numberAt(String text, int from) {
        int to = from;
        long number = 0;
        while (to < text.length() && isDigit(text.charAt(to)) && number <= GREATEST) {
            number = number * 10 + (text.charAt(to) - '0');
            to++;
        }
        return to == from || number > GREATEST ? OptionalLong.empty() : OptionalLong.of(number);
    }

    /**
     * Returns a text as part of a file name: letters and digits of any script stay, ASCII letters in lower case; everything else
     * becomes one hyphen between what stays.
     */
    public static String slugOf(String text) {
        StringBuilder slug = new StringBuilder(text.length());
        boolean gap = false;
        for (int i = 0; i < text.length(); ) {
            int point = text.codePointAt(i);
            i += Character.charCount(point);
            if (!isAlphanumeric(point)) {
                gap = true;
                continue;
            }
            if (gap && slug.length() > 0) {
                slug.append('-');
            }
            gap = false;
            slug.appendCodePoint(point >= 'A' && point <= 'Z' ? point + ('a' - 'A') : point);
        }
        return slug.toString();
    }

    private static boolean isAlphanumeric(int point) {
        int type = Character.getType(point);
        return Character.isAlphabetic(point)
                || type == Character.DECIMAL_DIGIT_NUMBER
                || type == Character.LETTER_NUMBER
                || type == Character.OTHER_NUMBER;
    }

    private static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    private static String shortened(String slug, int mostCharacters, int mostBytes) {
        int end = 0;
        int bytes = 0;
        for (int n = 0; end < slug.length() && n < mostCharacters; n++) {
            int next = slug.offsetByCodePoints(end, 1);
            bytes += bytes(slug.substring(end, next));
            if (bytes > mostBytes) {
                break;
            }
            end = next;
        }
        String cut = slug.substring(0, end);
        return cut.endsWith("-") ? cut.substring(0, cut.length() - 1) : cut;
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }
}
