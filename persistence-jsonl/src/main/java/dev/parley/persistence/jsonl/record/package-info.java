/** The JSON form of the application's records, made from their components. */
@NullMarked
package dev.parley.persistence.jsonl.record;

import org.jspecify.annotations.NullMarked;
