/** The one writer: batches are encoded by those who bring them, gathered, and committed together. */
@NullMarked
package dev.parley.persistence.sqlite.ledger;

import org.jspecify.annotations.NullMarked;
