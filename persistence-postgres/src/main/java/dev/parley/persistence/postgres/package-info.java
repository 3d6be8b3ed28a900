/** The store in PostgreSQL and the service that opens it. */
@NullMarked
package dev.parley.persistence.postgres;

import org.jspecify.annotations.NullMarked;
