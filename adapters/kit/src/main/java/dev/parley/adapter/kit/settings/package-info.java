/** Reads what is usual in a platform's settings: flags, times, addresses, secrets. */
@NullMarked
package dev.parley.adapter.kit.settings;

import org.jspecify.annotations.NullMarked;
