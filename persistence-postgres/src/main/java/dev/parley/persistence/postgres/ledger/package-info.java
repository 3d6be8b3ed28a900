/** The ledger: a batch locks and reads what it stands on in one round trip, and is written and made durable in a second one. */
@NullMarked
package dev.parley.persistence.postgres.ledger;

import org.jspecify.annotations.NullMarked;
