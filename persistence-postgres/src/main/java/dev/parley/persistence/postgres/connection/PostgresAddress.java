package dev.parley.persistence.postgres.connection;

import dev.parley.application.port.InvalidRequest;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Where a store lies: {@code //HOST[:PORT][,HOST...]/DATABASE[?NAME=VALUE&...]}. Never holds a password, so it can be shown.
 *
 * @param hosts hosts and ports as the driver reads them
 * @param database the database
 * @param schema the schema that the tables are in
 * @param properties what the driver is told beyond that, by its names
 */
public record PostgresAddress(String hosts, String database, String schema, Map<String, String> properties) {
    /** The schema unless another is named. */
    private static final String PARLEY = "parley";

    private static final String SCHEMA = "schema";
    private static final Pattern HOSTS = Pattern.compile("[A-Za-z0-9._:,\\[\\]-]+");
    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,62}");
    private static final Set<String> KNOWN = Set.of(
            "user",
            "sslmode",
            "sslrootcert",
            "sslcert",
            "sslkey",
            "sslnegotiation",
            "channelBinding",
            "gssEncMode",
            "targetServerType",
            "hostRecheckSeconds",
            "loadBalanceHosts",
            "connectTimeout",
            "socketTimeout",
            "tcpKeepAlive",
            "ApplicationName");

    public PostgresAddress {
        properties = Map.copyOf(properties);
    }

    /**
     * Reads what stands behind {@code postgres:}.
     *
     * @throws InvalidRequest where it is no address; what may be a password is not repeated
     */
    public static PostgresAddress parse(String text) {
        if (!text.startsWith("//")) {
            throw wrong("it begins with postgres:// and a host");
        }
        String rest = text.substring(2);
        int question = rest.indexOf('?');
        String place = question < 0 ? rest : rest.substring(0, question);
        Map<String, String> given = parameters(question < 0 ? "" : rest.substring(question + 1));
        int at = place.lastIndexOf('@');
        if (at >= 0) {
            String user = place.substring(0, at);
            if (user.contains(":")) {
                throw new InvalidRequest(
                        "The storage address holds a password, which would be shown with it; take it out and"
                                + " name a variable that holds it in storage.options.password_env.");
            }
            given.putIfAbsent("user", decoded(user));
            place = place.substring(at + 1);
        }
        int slash = place.indexOf('/');
        String hosts = slash < 0 ? place : place.substring(0, slash);
        String database = slash < 0 ? "" : decoded(place.substring(slash + 1));
        if (!HOSTS.matcher(hosts).matches()) {
            throw wrong("a host, or several with commas between them, stands behind postgres://");
        }
        if (database.isEmpty() || database.contains("/")) {
            throw wrong("the name of the database stands behind the host and a slash");
        }
        String schema = given.getOrDefault(SCHEMA, PARLEY);
        given.remove(SCHEMA);
        return new PostgresAddress(hosts, database, named(schema), given);
    }

    private static Map<String, String> parameters(String text) {
        Map<String, String> found = new LinkedHashMap<>();
        for (String each : text.split("&", -1)) {
            if (each.isEmpty()) {
                continue;
            }
            int equals = each.indexOf('=');
            String name = equals < 0 ? each : each.substring(0, equals);
            if (name.equalsIgnoreCase("password")) {
                throw new InvalidRequest(
                        "The storage address holds a password, which would be shown with it; take it out and"
                                + " name a variable that holds it in storage.options.password_env.");
            }
            if (equals < 0 || !(KNOWN.contains(name) || name.equals(SCHEMA))) {
                throw wrong("behind the question mark stand NAME=VALUE with & between them, with the names schema, "
                        + String.join(", ", KNOWN.stream().sorted().toList()));
            }
            found.put(name, decoded(each.substring(equals + 1)));
        }
        return found;
    }

    private static String decoded(String text) {
        try {
            return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw wrong("a percent sign stands before two hexadecimal digits");
        }
    }

    private static InvalidRequest wrong(String rule) {
        return new InvalidRequest("The storage address is none of a PostgreSQL database: " + rule
                + ", such as postgres://localhost/parley?user=parley.");
    }

    /** Returns this in another schema. */
    public PostgresAddress in(String other) {
        return new PostgresAddress(hosts, database, named(other), properties);
    }

    /** Returns this with more for the driver; what the address says itself stays. */
    public PostgresAddress with(Map<String, String> more) {
        Map<String, String> all = new TreeMap<>(more);
        all.putAll(properties);
        return new PostgresAddress(hosts, database, schema, all);
    }

    private static String named(String schema) {
        if (!NAME.matcher(schema).matches()) {
            throw new InvalidRequest(
                    "The schema of a PostgreSQL storage is a word of up to 63 letters, digits and underscores.");
        }
        return schema;
    }

    /** Returns the address that the driver opens. */
    String url() {
        return "jdbc:postgresql://" + hosts + "/" + java.net.URLEncoder.encode(database, StandardCharsets.UTF_8);
    }

    /** Returns whether the way to the server does not leave this machine. */
    public boolean isLocal() {
        for (String host : hosts.split(",", -1)) {
            if (!host.matches("(localhost|127\\.[0-9.]+|\\[::1])(:\\d+)?")) {
                return false;
            }
        }
        return true;
    }

    /** Returns the address as an operator reads it. */
    @Override
    public String toString() {
        return "postgres://" + hosts + "/" + database + (schema.equals(PARLEY) ? "" : "?schema=" + schema);
    }
}
