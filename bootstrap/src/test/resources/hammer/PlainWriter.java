import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;

/** Writes messages into a database with nothing but JDBC, one transaction each, as other software does. */
public class PlainWriter {
    public static void main(String[] args) throws Exception {
        int messages = Integer.parseInt(args[1]);
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + args[0]);
                Statement statement = connection.createStatement()) {
            statement.execute("PRAGMA busy_timeout = 20000");
            statement.execute("INSERT INTO sessions (id, source, started_at) VALUES ('plain', 'cli', 1700000000)");
            for (int i = 0; i < messages; i++) {
                statement.execute("BEGIN IMMEDIATE");
                try (PreparedStatement insert = connection.prepareStatement(
                        "INSERT INTO messages (session_id, role, content, timestamp) VALUES ('plain', 'user', ?, ?)")) {
                    insert.setString(1, "plain writer " + i);
                    insert.setDouble(2, 1700000000.25 + i);
                    insert.executeUpdate();
                }
                statement.execute("COMMIT");
            }
        } catch (SQLException e) {
            System.err.println(e);
            System.exit(1);
        }
    }
}
