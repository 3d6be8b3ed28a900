/** The tables and columns that every database has alike. */
@NullMarked
package dev.parley.persistence.sql.table;

import org.jspecify.annotations.NullMarked;
