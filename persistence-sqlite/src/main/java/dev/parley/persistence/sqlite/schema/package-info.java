/** What the database looks like: declared tables, what a file has of them, and bringing a file up to date (storage 1). */
@NullMarked
package dev.parley.persistence.sqlite.schema;

import org.jspecify.annotations.NullMarked;
