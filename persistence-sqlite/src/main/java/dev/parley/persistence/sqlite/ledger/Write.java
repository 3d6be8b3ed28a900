package dev.parley.persistence.sqlite.ledger;

import java.sql.SQLException;

/** A change with everything done that can be done before a transaction. */
@FunctionalInterface
interface Write {
    /** Applies the change inside the current transaction. */
    void apply(Writer writer) throws SQLException;
}
