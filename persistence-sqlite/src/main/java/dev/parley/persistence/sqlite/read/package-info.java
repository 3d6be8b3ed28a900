/** The reads: each on one consistent state, none waiting for the writer. */
@NullMarked
package dev.parley.persistence.sqlite.read;

import org.jspecify.annotations.NullMarked;
