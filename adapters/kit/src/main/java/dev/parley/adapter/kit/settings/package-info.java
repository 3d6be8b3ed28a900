/**
 * Reads what is usual in a platform's settings: flags, times, addresses, secrets.
 *
 * <p>Not part of the API: it may change with any version.
 */
@NullMarked
package dev.parley.adapter.kit.settings;

import org.jspecify.annotations.NullMarked;
