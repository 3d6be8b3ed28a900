package dev.parley.fakes.surroundings;

import dev.parley.fakes.proof.Said;
import java.util.HashSet;
import java.util.Set;

/** Something that was said; guarded by its speaker. */
final class Utterance {
    final int number;
    final Said.Kind kind;
    final String token;
    final String text;
    final Set<String> acknowledgements = new HashSet<>();

    Utterance(int number, Said.Kind kind, String token, String text) {
        this.number = number;
        this.kind = kind;
        this.token = token;
        this.text = text;
    }
}
