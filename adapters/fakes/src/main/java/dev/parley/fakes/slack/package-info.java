/** Slack as far as apps in Socket Mode see it. */
@NullMarked
package dev.parley.fakes.slack;

import org.jspecify.annotations.NullMarked;
