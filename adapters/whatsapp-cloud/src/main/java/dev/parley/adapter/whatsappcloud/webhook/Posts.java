package dev.parley.adapter.whatsappcloud.webhook;

import java.util.concurrent.CompletionStage;

/** What becomes of what Meta posts. */
public interface Posts {
    /**
     * Takes a post whose signature fits; returns at once. Completes with true once everything in it is settled, with false where Meta is
     * to post it again.
     */
    CompletionStage<Boolean> take(byte[] body);
}
