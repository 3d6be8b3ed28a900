package dev.parley.application.lane;

/**
 * Why what waits does not begin now.
 *
 * @param told what people are told who write meanwhile; their message is kept
 * @param stops whether the gateway stops, so that not even a turn that resumes begins; else an operator holds new turns back
 */
public record Standstill(String told, boolean stops) {
    static final String HELD = "The gateway is being maintained. Your message is kept and will be answered afterwards.";
}
