/** A Slack app. */
@NullMarked
package dev.parley.adapter.slack;

import org.jspecify.annotations.NullMarked;
