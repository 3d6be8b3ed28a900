package dev.parley.application.transfer;

import dev.parley.application.transfer.CopyProgress.Phase;
import java.util.Optional;

/** How far a copy has come, as it is stored in the target. */
record CopyMark(String source, String phase, long done, boolean merging) {
    static final String FINISHED = "finished";

    private static final String SEPARATOR = "|";

    String format() {
        return phase + SEPARATOR + done + SEPARATOR + merging + SEPARATOR + source;
    }

    boolean isFinished() {
        return phase.equals(FINISHED);
    }

    Phase at() {
        return Phase.valueOf(phase);
    }

    static Optional<CopyMark> parse(String text) {
        String[] parts = text.split("\\|", 4);
        try {
            if (parts.length != 4 || !(parts[0].equals(FINISHED) || isPhase(parts[0]))) {
                return Optional.empty();
            }
            return Optional.of(
                    new CopyMark(parts[3], parts[0], Long.parseLong(parts[1]), Boolean.parseBoolean(parts[2])));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    private static boolean isPhase(String text) {
        for (Phase phase : Phase.values()) {
            if (phase.name().equals(text)) {
                return true;
            }
        }
        return false;
    }
}
