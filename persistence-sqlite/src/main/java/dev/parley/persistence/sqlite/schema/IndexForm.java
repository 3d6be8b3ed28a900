package dev.parley.persistence.sqlite.schema;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How the two full-text tables are made. In both forms they have the same names and columns, so whoever reads schema 11 asks both
 * in the same words (storage 1.4).
 */
public enum IndexForm {
    /** As schema 11 has them: each table holds its own copy of the text of every message. */
    SHARED,
    /**
     * Without copies: the tables read the text from the messages, through a view. The index of substrings has only the messages
     * with a Chinese, Japanese or Korean character, since nothing else is looked up in it. It leaves out the U+0000 at the beginning of
     * what is no plain text, so every release of SQLite makes the same of it.
     */
    COMPACT;

    /** The view that the index of words reads in the compact form. */
    static final String TEXTS = "parley_indexed";

    /** The view that the index of substrings reads in the compact form. */
    static final String CJK_TEXTS = "parley_indexed_cjk";

    /** The views of the compact form. */
    static final List<String> VIEWS = List.of(TEXTS, CJK_TEXTS);

    private static final String CJK =
            "*[\u3000-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\ud840\udc00-\ud869\udedf]*";
    private static final String EVERY = "1";
    private static final Pattern DECLARED = Pattern.compile("usingfts5\\((.*)\\)$");
    private static final List<String> KNOWN_OPTIONS = List.of(
            "content=messages",
            "content=" + TEXTS,
            "content=" + CJK_TEXTS,
            "content_rowid=id",
            "tokenize=trigram",
            "tokenize=unicode61");

    /** Returns the text that a table indexes of a message, as an SQL expression over the columns of {@code row}. */
    public String textIn(String table, String row) {
        String text = SearchIndex.indexedText(row);
        if (this == SHARED || table.equals(SearchIndex.WORDS)) {
            return text;
        }
        String bytes = "CAST(" + text + " AS BLOB)";
        return "CASE WHEN substr(" + bytes + ", 1, 1) = x'00' THEN CAST(substr(" + bytes + ", 2) AS TEXT) ELSE " + text
                + " END";
    }

    /** Returns which messages a table indexes, as an SQL condition over the columns of {@code row}. */
    public String coveredBy(String table, String row) {
        if (this == SHARED || table.equals(SearchIndex.WORDS)) {
            return EVERY;
        }
        String text = SearchIndex.indexedText(row);
        String indexed = "(" + textIn(table, row) + ")";
        return "(length(CAST(" + text + " AS BLOB)) > length(" + text + ") AND (" + indexed + " GLOB '" + CJK
                + "' OR instr(" + indexed + ", char(0))))";
    }

    /** Returns the statements that make a table, without its triggers. */
    List<String> create(String table) {
        boolean substrings = table.equals(SearchIndex.TRIGRAMS);
        String tokens = substrings ? ",\n    tokenize='trigram'" : "";
        if (this == SHARED) {
            return List.of("CREATE VIRTUAL TABLE " + table + " USING fts5(\n    content" + tokens + "\n)");
        }
        String view = substrings ? CJK_TEXTS : TEXTS;
        return List.of(
                view(table),
                "CREATE VIRTUAL TABLE " + table + " USING fts5(\n    content,\n    content='" + view
                        + "',\n    content_rowid='id'" + tokens + "\n)");
    }

    private String view(String table) {
        boolean substrings = table.equals(SearchIndex.TRIGRAMS);
        return "CREATE VIEW " + (substrings ? CJK_TEXTS : TEXTS) + " AS SELECT m.id AS id, " + textIn(table, "m")
                + " AS content FROM messages m" + (substrings ? " WHERE " + coveredBy(table, "m") : "");
    }

    /**
     * Returns the statements that make the triggers of a table. The update triggers name the indexed columns: the same rows as an
     * update of any column gives, for less work.
     *
     * @param condition which messages the triggers heed, with {@code row} for the message; empty for all
     */
    List<String> createTriggers(String table, String condition) {
        return List.of(
                "CREATE TRIGGER " + table + "_insert AFTER INSERT ON messages" + when(table, "new", condition)
                        + " BEGIN\n    " + insert(table, false) + "END",
                "CREATE TRIGGER " + table + "_delete AFTER DELETE ON messages" + when(table, "old", condition)
                        + " BEGIN\n    " + delete(table, false) + "END",
                "CREATE TRIGGER " + table + "_update AFTER UPDATE OF id, content, tool_name, tool_calls ON messages"
                        + (condition.isEmpty() ? "" : " WHEN " + condition.replace("row.", "old."))
                        + " BEGIN\n    " + delete(table, true) + "    " + insert(table, true) + "END");
    }

    private String when(String table, String row, String condition) {
        List<String> parts = Stream.of(condition.replace("row.", row + "."), coveredBy(table, row))
                .filter(part -> !part.isEmpty() && !part.equals(EVERY))
                .toList();
        return parts.isEmpty() ? "" : " WHEN " + String.join(" AND ", parts);
    }

    /** Where the trigger does not say which messages it covers, the statement does. */
    private String insert(String table, boolean choosing) {
        return this == SHARED
                ? "INSERT INTO " + table + "(rowid, content) VALUES (\n        new.id,\n        " + textIn(table, "new")
                        + "\n    );\n"
                : "INSERT INTO " + table + "(rowid, content) SELECT new.id, " + textIn(table, "new")
                        + chosen(table, "new", choosing) + ";\n";
    }

    private String delete(String table, boolean choosing) {
        return this == SHARED
                ? "DELETE FROM " + table + " WHERE rowid = old.id;\n"
                : "INSERT INTO " + table + "(" + table + ", rowid, content) SELECT 'delete', old.id, "
                        + textIn(table, "old") + chosen(table, "old", choosing) + ";\n";
    }

    private String chosen(String table, String row, boolean choosing) {
        String covered = coveredBy(table, row);
        return choosing && !covered.equals(EVERY) ? " WHERE " + covered : "";
    }

    /** Returns the statement that indexes the messages after one row number and up to another. */
    String fill(String table) {
        return "INSERT INTO " + table + "(rowid, content) SELECT m.id, " + textIn(table, "m")
                + " FROM messages m WHERE m.id > ? AND m.id <= ? AND " + coveredBy(table, "m") + " ORDER BY m.id";
    }

    /** Returns the form that these objects of a file have, or are nearest to. */
    static IndexForm of(Map<String, String> objects) {
        return VIEWS.stream().anyMatch(objects::containsKey) ? COMPACT : SHARED;
    }

    /** Returns whether all objects of the index are among these in this form. */
    boolean isWhole(Map<String, String> objects) {
        return SearchIndex.TABLES.stream()
                .allMatch(table -> shadows(table).allMatch(objects::containsKey)
                        && (this == SHARED ? isShared(objects, table) : isCompact(objects, table)));
    }

    /** Returns the names of the tables in which SQLite keeps a full-text table. */
    private Stream<String> shadows(String table) {
        return Stream.concat(
                        Stream.of("data", "idx", "docsize", "config"),
                        this == SHARED ? Stream.of("content") : Stream.of())
                .map(kind -> table + "_" + kind);
    }

    private static boolean isShared(Map<String, String> objects, String table) {
        String sql = objects.get(table);
        return sql != null
                && squeezed(sql).contains("usingfts5(")
                && !squeezed(sql).contains("content=")
                && SearchIndex.triggers(table).allMatch(trigger -> covers(objects.get(trigger), table));
    }

    /** Whoever made another trigger or view of these names indexes something else. */
    private boolean isCompact(Map<String, String> objects, String table) {
        List<String> wanted = Stream.concat(create(table).stream(), createTriggers(table, "").stream())
                .map(IndexForm::squeezed)
                .toList();
        List<String> names = Stream.concat(
                        Stream.of(table.equals(SearchIndex.TRIGRAMS) ? CJK_TEXTS : TEXTS, table),
                        SearchIndex.triggers(table))
                .toList();
        for (int i = 0; i < names.size(); i++) {
            String sql = objects.get(names.get(i));
            if (sql == null || !squeezed(sql).equals(wanted.get(i))) {
                return false;
            }
        }
        return true;
    }

    /** Returns whether this is no table, or one of a form that some version up to 11 or Parley makes. */
    static boolean isKnown(@Nullable String table) {
        if (table == null || table.isEmpty()) {
            return true;
        }
        Matcher declared = DECLARED.matcher(squeezed(table).replaceAll("['\"`\\[\\]]", ""));
        if (!declared.find()) {
            return false;
        }
        List<String> parts = List.of(declared.group(1).split(",", -1));
        return parts.get(0).equals("content")
                && parts.subList(1, parts.size()).stream().allMatch(KNOWN_OPTIONS::contains);
    }

    private static boolean covers(@Nullable String trigger, String table) {
        if (trigger == null) {
            return false;
        }
        String text = squeezed(trigger).replaceAll("['\"`\\[\\]]", "");
        return text.contains("into" + table + "(")
                ? text.contains("tool_name")
                : text.contains("afterdeleteon") && text.contains("deletefrom" + table);
    }

    private static String squeezed(String sql) {
        return sql.toLowerCase(Locale.ROOT).replaceAll("\\s+", "");
    }
}
