/** The store in SQLite and the service that opens it. */
@NullMarked
package dev.parley.persistence.sqlite;

import org.jspecify.annotations.NullMarked;
