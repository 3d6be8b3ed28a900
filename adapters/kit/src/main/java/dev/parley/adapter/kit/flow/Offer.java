package dev.parley.adapter.kit.flow;

/** What something that a platform tells came in, and is to be told again until it is settled. */
public interface Offer {
    /** Tells the platform that it need not tell this again; where that does not reach it, it does. */
    void settle();
}
