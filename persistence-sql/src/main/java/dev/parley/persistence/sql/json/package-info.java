/** Values in columns of JSON. */
@NullMarked
package dev.parley.persistence.sql.json;

import org.jspecify.annotations.NullMarked;
