/** The reads: each on one consistent state, none waiting for the writer. */
@NullMarked
package dev.parley.persistence.postgres.read;

import org.jspecify.annotations.NullMarked;
