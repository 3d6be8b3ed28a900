/** Rows of the tables that every database has alike. */
@NullMarked
package dev.parley.persistence.sql.row;

import org.jspecify.annotations.NullMarked;
