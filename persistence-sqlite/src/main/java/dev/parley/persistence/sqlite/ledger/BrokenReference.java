package dev.parley.persistence.sqlite.ledger;

import java.sql.SQLException;

/** A change names something that is not stored. Nothing is wrong with the database; the batch is not applied. */
final class BrokenReference extends SQLException {
    private static final long serialVersionUID = 1L;

    BrokenReference(String message) {
        super(message);
    }
}
