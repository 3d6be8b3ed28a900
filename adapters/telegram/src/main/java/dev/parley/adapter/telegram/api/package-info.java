/** The Bot API as far as the platform calls it. */
@NullMarked
package dev.parley.adapter.telegram.api;

import org.jspecify.annotations.NullMarked;
