/** Which gateways share the store, and which of them works on which lane. */
@NullMarked
package dev.parley.persistence.postgres.cluster;

import org.jspecify.annotations.NullMarked;
