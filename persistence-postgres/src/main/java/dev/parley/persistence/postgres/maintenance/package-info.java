/** Maintenance: how the store is, what is wrong with it, and what can be mended. */
@NullMarked
package dev.parley.persistence.postgres.maintenance;

import org.jspecify.annotations.NullMarked;
