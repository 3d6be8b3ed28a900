/** Search: PostgreSQL looks up candidates, the domain decides which of them match and shows where. */
@NullMarked
package dev.parley.persistence.postgres.search;

import org.jspecify.annotations.NullMarked;
