package org.example.shop;

import java.util.Map;
import java.util.TreeMap;
import org.springframework.stereotype.Component;

/** What the shop has. */
@Component
class Stock {
    private final Map<String, Integer> pieces = new TreeMap<>(Map.of("lamp", 3, "chair", 0));

    String answer(String question, int saidBefore) {
        return pieces.entrySet().stream()
                        .filter(entry -> question.toLowerCase().contains(entry.getKey()))
                        .map(entry -> entry.getValue() + " of " + entry.getKey())
                        .findFirst()
                        .orElse("Ask me for one of " + pieces.keySet())
                + " (" + saidBefore + " messages before)";
    }
}
