/** Reads that are the same statement in every dialect. */
@NullMarked
package dev.parley.persistence.sql.read;

import org.jspecify.annotations.NullMarked;
