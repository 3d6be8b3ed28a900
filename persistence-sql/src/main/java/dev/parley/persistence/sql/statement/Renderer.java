package dev.parley.persistence.sql.statement;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Param;
import org.jooq.Query;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;

/**
 * Renders statements, each once: rendering costs more than most of them take to run, and the first costs as much as some hundred
 * writes. Safe for concurrent use.
 */
public final class Renderer {
    private final SQLDialect dialect;
    private final Map<String, String> rendered;

    /** Renders in this dialect. */
    public Renderer(SQLDialect dialect) {
        this(dialect, Map.of());
    }

    /** Renders in this dialect and has the texts of these statements, by name, from the start. */
    public Renderer(SQLDialect dialect, Map<String, String> known) {
        this.dialect = dialect;
        this.rendered = new ConcurrentHashMap<>(known);
    }

    /** Returns what statements are made with. */
    public DSLContext dsl() {
        return Dialects.of(dialect);
    }

    /**
     * Returns the text of a statement.
     *
     * @param name its name; the same name always makes the same statement
     * @param statement makes it, with an {@link #value} in each place that is bound
     */
    public String sql(String name, Function<DSLContext, ? extends Query> statement) {
        String known = rendered.get(name);
        return known != null
                ? known
                : rendered.computeIfAbsent(name, n -> statement.apply(dsl()).getSQL());
    }

    /** Returns the statements rendered so far, by name. */
    public Map<String, String> rendered() {
        return Map.copyOf(rendered);
    }

    /** Returns a place for a value of this column. */
    public static <T> Param<T> value(Field<T> field) {
        return DSL.param(field.getName(), field.getDataType());
    }

    /** Returns null for a column; jOOQ's own null would be a place for a value. */
    public static <T> Field<T> nothing(Field<T> field) {
        return DSL.field("null", field.getDataType());
    }

    /** Returns places for values of these columns, in order. */
    public static List<Field<?>> values(Collection<? extends Field<?>> fields) {
        List<Field<?>> values = new ArrayList<>();
        fields.forEach(field -> values.add(value(field)));
        return values;
    }

    /** What statements are made with, made once and not before the first is. */
    private static final class Dialects {
        private static final Map<SQLDialect, DSLContext> MADE = new ConcurrentHashMap<>();

        // Where nobody has said otherwise: the log is that of an application, and jOOQ's logo and tips tell its
        // operator nothing.
        static {
            unlessSet("org.jooq.no-logo");
            unlessSet("org.jooq.no-tips");
        }

        private Dialects() {}

        private static void unlessSet(String property) {
            if (System.getProperty(property) == null) {
                System.setProperty(property, "true");
            }
        }

        static DSLContext of(SQLDialect dialect) {
            return MADE.computeIfAbsent(dialect, DSL::using);
        }
    }
}
