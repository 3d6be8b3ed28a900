/** The state of a database, its checks and its repairs (storage 1.8, 2). */
@NullMarked
package dev.parley.persistence.sqlite.maintenance;

import org.jspecify.annotations.NullMarked;
