/**
 * JSON: of servers and programs, and rows as JSON.
 *
 * <p>Not part of the API: it may change with any version.
 */
@NullMarked
package dev.parley.adapter.kit.json;

import org.jspecify.annotations.NullMarked;
