/** Rows and the values they stand for: one mapper per table. */
@NullMarked
package dev.parley.persistence.postgres.row;

import org.jspecify.annotations.NullMarked;
