/** JSON inside text columns: written as raw UTF-8, read in any spelling. */
@NullMarked
package dev.parley.persistence.postgres.json;

import org.jspecify.annotations.NullMarked;
