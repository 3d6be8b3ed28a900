/** Statements: rendered once by jOOQ, sent one by one or several together, their rows read by column name. */
@NullMarked
package dev.parley.persistence.postgres.statement;

import org.jspecify.annotations.NullMarked;
