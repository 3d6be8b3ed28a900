/** Names and types of tables and columns, one file per group of tables; a test compares them with the database. */
@NullMarked
package dev.parley.persistence.postgres.table;

import org.jspecify.annotations.NullMarked;
