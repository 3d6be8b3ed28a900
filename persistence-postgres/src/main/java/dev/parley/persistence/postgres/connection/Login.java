package dev.parley.persistence.postgres.connection;

import java.util.Optional;
import java.util.Properties;

/**
 * Who logs in. Shows itself without the password.
 *
 * @param user the role; absent for what the address or the system says
 * @param password the password; absent where the server asks for none, or the driver finds it in {@code .pgpass}
 */
public record Login(Optional<String> user, Optional<String> password) {
    void addTo(Properties properties) {
        user.ifPresent(name -> properties.setProperty("user", name));
        password.ifPresent(secret -> properties.setProperty("password", secret));
    }

    @Override
    public String toString() {
        return user.orElse("the usual user") + (password.isPresent() ? " with a password" : "");
    }
}
