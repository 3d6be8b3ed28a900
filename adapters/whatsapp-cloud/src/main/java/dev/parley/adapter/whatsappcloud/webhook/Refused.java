package dev.parley.adapter.whatsappcloud.webhook;

/** A request that is not taken, with the answer that says so. */
final class Refused extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int status;

    /** Refuses with a status of HTTP and one line. */
    Refused(int status, String why) {
        super(why, null, false, false);
        this.status = status;
    }

    int status() {
        return status;
    }
}
