package dev.parley.persistence.postgres.statement;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Param;
import org.jooq.Query;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;

/** Renders statements, each once: rendering costs more than most of them take to run. Safe for concurrent use. */
public final class Renderer {
    private final DSLContext dsl;
    private final Map<String, String> rendered = new ConcurrentHashMap<>();

    /** Renders in this dialect. */
    public Renderer(SQLDialect dialect) {
        this.dsl = DSL.using(dialect);
    }

    /** Returns what statements are made with. */
    public DSLContext dsl() {
        return dsl;
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
                : rendered.computeIfAbsent(name, n -> statement.apply(dsl).getSQL());
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

    /** Returns the condition that a column is one of the texts in a bound array. */
    public static Condition isAnyOf(Field<String> field) {
        return DSL.condition("{0} = any ({1})", field, value(field));
    }
}
