/** What happens on one lane: its waiting messages, its turn, and what is decided about both. */
@NullMarked
package dev.parley.application.lane;

import org.jspecify.annotations.NullMarked;
