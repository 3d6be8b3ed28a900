package dev.parley.application.settings;

/** What an ordinary message does to a lane whose agent is running (Q8.10). */
public enum BusyMode {
    /** The agent is interrupted and goes on with the message. */
    INTERRUPT,
    /** The message waits. */
    QUEUE,
    /** The message is handed to the running agent, where it takes any; otherwise it waits. */
    STEER
}
