package dev.parley.persistence.sql.read;

import static dev.parley.persistence.sql.statement.Renderer.value;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import org.jooq.Condition;
import org.jooq.Field;
import org.jooq.impl.DSL;
import org.jspecify.annotations.Nullable;

/** What the rows of a page have in common: a condition, the values it binds, and a name for each of its forms. */
final class Filter {
    private final StringBuilder name;
    private final List<Object> values = new ArrayList<>();
    private Condition condition = DSL.noCondition();

    Filter(String name) {
        this.name = new StringBuilder(name);
    }

    private void add(String form, Condition next, Object... bound) {
        name.append('.').append(form);
        condition = condition.and(next);
        values.addAll(List.of(bound));
    }

    void equal(Field<String> field, String text) {
        add(field.getName(), field.eq(value(field)), text);
    }

    /** Nothing given means all. */
    void oneOf(Field<String> field, Collection<? extends Enum<?>> constants) {
        if (!constants.isEmpty()) {
            List<String> names = constants.stream()
                    .map(each -> each.name().toLowerCase(Locale.ROOT))
                    .sorted()
                    .toList();
            add(
                    String.join("+", names),
                    field.in(names.stream().map(DSL::inline).toList()));
        }
    }

    void atLeast(Field<Long> field, long least) {
        add("from", field.ge(value(field)), least);
    }

    void below(Field<Long> field, long limit) {
        add("below-" + field.getName(), field.lt(value(field)), limit);
    }

    /** Only rows that come behind this place where both fields fall. */
    void before(Field<Long> time, long at, Field<String> id, String last) {
        add("after", DSL.row(time, id).lt(DSL.row(value(time), value(id))), at, last);
    }

    /** Only rows that come up to this place, and it, where both fields fall. */
    void upTo(Field<Long> time, long at, Field<String> id, String last) {
        add("to", DSL.row(time, id).ge(DSL.row(value(time), value(id))), at, last);
    }

    /** Only rows with a text in one of two fields, without regard to ASCII case. */
    void contains(RowReader reader, Field<String> one, Field<String> other, String sought) {
        Condition inOne =
                DSL.position(reader.lower(one), reader.lower(value(one))).gt(DSL.inline(0));
        Condition inOther = DSL.position(reader.lower(DSL.coalesce(other, DSL.inline(""))), reader.lower(value(other)))
                .gt(DSL.inline(0));
        add("text", inOne.or(inOther), sought, sought);
    }

    void that(String form, Condition next, Object... bound) {
        add(form, next, bound);
    }

    /** Returns the name of this form of the condition. */
    String name() {
        return name.toString();
    }

    Condition condition() {
        return condition;
    }

    /** Returns what the condition binds, and the limit behind it. */
    @Nullable
    Object[] values(long limit) {
        List<Object> all = new ArrayList<>(values);
        all.add(limit);
        return all.toArray();
    }
}
