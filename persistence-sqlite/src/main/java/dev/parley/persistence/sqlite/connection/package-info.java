/** Connections to the file: how they are opened, shared, retried and closed, and what their errors mean (storage 1.1, 2). */
@NullMarked
package dev.parley.persistence.sqlite.connection;

import org.jspecify.annotations.NullMarked;
