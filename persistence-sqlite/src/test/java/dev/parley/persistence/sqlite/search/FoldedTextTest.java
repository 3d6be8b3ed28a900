package dev.parley.persistence.sqlite.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.domain.search.CaseFold;
import dev.parley.persistence.sqlite.Sql;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is compared without the index of substrings is compared as that compares it. */
class FoldedTextTest {
    @TempDir
    Path folder;

    @Test
    void everyCharacterIsFoldedAsTheIndexOfSubstringsFoldsIt() throws Exception {
        List<String> otherwise = new ArrayList<>();
        try (Connection connection = Sql.connect(folder.resolve("folds.db"));
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE VIRTUAL TABLE t USING fts5(c, tokenize='trigram')");
            statement.execute("CREATE VIRTUAL TABLE v USING fts5vocab('t', 'instance')");
            connection.setAutoCommit(false);
            try (PreparedStatement insert = connection.prepareStatement("INSERT INTO t (rowid, c) VALUES (?, ?)")) {
                for (int point = 1; point < 0x1f000; point++) {
                    if (Character.isLetter(point)) {
                        insert.setInt(1, point);
                        insert.setString(2, "~~" + Character.toString(point));
                        insert.executeUpdate();
                    }
                }
            }
            try (ResultSet rows = statement.executeQuery("SELECT doc, term FROM v")) {
                while (rows.next()) {
                    int point = rows.getInt(1);
                    if (rows.getString(2).codePointAt(2) != CaseFold.of(point)) {
                        otherwise.add(Integer.toHexString(point));
                    }
                }
            }
        }
        assertThat(otherwise).isEmpty();
    }
}
