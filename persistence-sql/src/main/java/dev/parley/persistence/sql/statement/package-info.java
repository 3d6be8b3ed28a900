/** Statements: made once as text, asked with values, read row by row. */
@NullMarked
package dev.parley.persistence.sql.statement;

import org.jspecify.annotations.NullMarked;
