/** The daemon as far as the platform calls it. */
@NullMarked
package dev.parley.adapter.signal.api;

import org.jspecify.annotations.NullMarked;
