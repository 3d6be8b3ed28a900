package dev.parley.persistence.sqlite.schema;

import java.util.Optional;

/**
 * A column as it is declared.
 *
 * @param name its name
 * @param type its type
 * @param required whether null is refused
 * @param key whether it is the primary key, and who makes its values
 * @param initial what it holds where nothing is given
 */
public record Column(String name, Type type, boolean required, Key key, Optional<String> initial) {
    /** The storage classes in use. */
    public enum Type {
        /** Text of any length. */
        TEXT,
        /** A whole number of 64 bits. */
        INTEGER,
        /** A floating point number of 64 bits. */
        REAL
    }

    /** Whether a column is the primary key. */
    public enum Key {
        /** It is not. */
        NONE,
        /** It is; writers give its values. */
        GIVEN,
        /** It is; the database gives rising values that are never used twice. */
        RISING
    }

    /** Returns a text column that may be null. */
    static Column text(String name) {
        return new Column(name, Type.TEXT, false, Key.NONE, Optional.empty());
    }

    /** Returns a whole number that may be null. */
    static Column integer(String name) {
        return new Column(name, Type.INTEGER, false, Key.NONE, Optional.empty());
    }

    /** Returns a floating point number that may be null. */
    static Column real(String name) {
        return new Column(name, Type.REAL, false, Key.NONE, Optional.empty());
    }

    /** Returns a whole number that may be null and begins at a value. */
    static Column counter(String name, long initial) {
        return new Column(name, Type.INTEGER, false, Key.NONE, Optional.of(Long.toString(initial)));
    }

    /** Returns a primary key whose values are given by writers. */
    static Column key(String name, Type type) {
        return new Column(name, type, false, Key.GIVEN, Optional.empty());
    }

    /** Returns a primary key whose values the database gives. */
    static Column rising(String name) {
        return new Column(name, Type.INTEGER, false, Key.RISING, Optional.empty());
    }

    /** Returns this column refusing null. */
    Column notNull() {
        return new Column(name, type, true, key, initial);
    }

    /** Returns what a row has in this column before the column exists, as an SQL literal. */
    String absentValue() {
        return initial.orElse("NULL");
    }
}
