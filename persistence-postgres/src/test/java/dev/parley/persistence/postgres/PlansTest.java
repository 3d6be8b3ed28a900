package dev.parley.persistence.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.persistence.postgres.connection.Connections;
import dev.parley.persistence.postgres.connection.Login;
import dev.parley.persistence.postgres.connection.PostgresAddress;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PlansTest {
    private static final String ONE_OF = "select relname from pg_class where relname = any (?)";

    @Test
    void aStatementThatIsGivenAListOfKeysIsPlannedOnce() throws Exception {
        Connections connections = new Connections(
                PostgresAddress.parse(TestServer.shared().store("parley")),
                new Login(Optional.empty(), Optional.empty()),
                new Connections.Limits(Duration.ofMinutes(1), false),
                true);
        try (Connection connection = connections.byKey()) {
            for (int use = 0; use < 20; use++) {
                try (PreparedStatement statement = connection.prepareStatement(ONE_OF)) {
                    statement.setArray(1, connection.createArrayOf("text", new Object[] {"pg_class"}));
                    try (ResultSet found = statement.executeQuery()) {
                        assertThat(found.next()).isTrue();
                    }
                }
            }

            try (PreparedStatement statement = connection.prepareStatement(
                            "select sum(custom_plans), sum(generic_plans) from pg_prepared_statements"
                                    + " where statement like '%pg_class%any%'");
                    ResultSet plans = statement.executeQuery()) {
                assertThat(plans.next()).isTrue();
                assertThat(plans.getLong(1)).isZero();
                assertThat(plans.getLong(2)).isPositive();
            }
        }
    }
}
