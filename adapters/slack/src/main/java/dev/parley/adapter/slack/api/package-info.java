/** Slack's Web API as far as the platform calls it. */
@NullMarked
package dev.parley.adapter.slack.api;

import org.jspecify.annotations.NullMarked;
