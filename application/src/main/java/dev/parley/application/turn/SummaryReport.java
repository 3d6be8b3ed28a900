package dev.parley.application.turn;

import dev.parley.domain.turn.InboundId;

/**
 * What became of a summary.
 *
 * @param command the command it was asked for
 * @param succeeded whether there is one
 * @param text the summary, or why there is none
 */
public record SummaryReport(InboundId command, boolean succeeded, String text) {}
