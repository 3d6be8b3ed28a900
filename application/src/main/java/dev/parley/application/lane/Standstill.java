package dev.parley.application.lane;

/**
 * Why what waits does not begin now.
 *
 * @param told what people are told who write meanwhile; their message is kept
 * @param stops whether the gateway stops, so that not even a turn that resumes begins; else an operator holds new turns back, or the lane waits for a place
 */
public record Standstill(String told, boolean stops) {
    static final String HELD = "The gateway is being maintained. Your message is kept and will be answered afterwards.";
    static final String CROWDED =
            "Other conversations are being answered right now. Your message is kept and will be answered after them.";
}
