package dev.parley.domain.transcript;

import dev.parley.domain.text.RawJson;
import java.util.Optional;

/**
 * What a provider exposed of its reasoning, kept for replay to the same provider.
 *
 * @param text raw reasoning text
 * @param content the provider's reasoning content; the empty string is a value
 * @param details structured details
 * @param codexItems reasoning items of the Responses interface
 * @param codexMessageItems message items of the Responses interface
 */
public record Reasoning(
        Optional<String> text,
        Optional<String> content,
        Optional<RawJson> details,
        Optional<RawJson> codexItems,
        Optional<RawJson> codexMessageItems) {
    /** No reasoning. */
    public static final Reasoning NONE =
            new Reasoning(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
}
