/** Connections to the server: how they are opened, shared and closed, and what errors of the server mean. */
@NullMarked
package dev.parley.persistence.postgres.connection;

import org.jspecify.annotations.NullMarked;
