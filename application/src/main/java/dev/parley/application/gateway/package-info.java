/** The gateway: takes messages in, decides their session, runs turns one at a time per lane, answers, survives. */
@NullMarked
package dev.parley.application.gateway;

import org.jspecify.annotations.NullMarked;
