/** What the gateway sends, on its way to Slack. */
@NullMarked
package dev.parley.adapter.slack.outbound;

import org.jspecify.annotations.NullMarked;
