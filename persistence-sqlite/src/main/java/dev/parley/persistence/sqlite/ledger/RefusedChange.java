package dev.parley.persistence.sqlite.ledger;

import java.sql.SQLException;

/** A change does not fit what is stored. Nothing is wrong with the database; the batch is not applied. */
final class RefusedChange extends SQLException {
    private static final long serialVersionUID = 1L;

    RefusedChange(String message) {
        super(message);
    }
}
