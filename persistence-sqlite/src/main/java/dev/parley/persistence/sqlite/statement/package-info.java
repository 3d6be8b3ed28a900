/** Statements: rendered once by jOOQ, run as prepared statements, their rows read by column name. */
@NullMarked
package dev.parley.persistence.sqlite.statement;

import org.jspecify.annotations.NullMarked;
