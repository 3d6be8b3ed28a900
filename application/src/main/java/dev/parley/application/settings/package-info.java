/** How a gateway behaves where nothing else is said. */
@NullMarked
package dev.parley.application.settings;

import org.jspecify.annotations.NullMarked;
