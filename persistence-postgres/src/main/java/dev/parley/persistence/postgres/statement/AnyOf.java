package dev.parley.persistence.postgres.statement;

import dev.parley.persistence.sql.statement.Renderer;
import org.jooq.Condition;
import org.jooq.Field;
import org.jooq.impl.DSL;

/** Conditions on several values that are bound as one. */
public final class AnyOf {
    private AnyOf() {}

    /** Returns the condition that a column is one of the texts in a bound array. */
    public static Condition isAnyOf(Field<String> field) {
        return DSL.condition("{0} = any ({1})", field, Renderer.value(field));
    }
}
