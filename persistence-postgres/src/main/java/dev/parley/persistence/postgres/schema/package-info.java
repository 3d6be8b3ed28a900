/** The tables: made and brought up to date in numbered steps, each whole or not at all. */
@NullMarked
package dev.parley.persistence.postgres.schema;

import org.jspecify.annotations.NullMarked;
