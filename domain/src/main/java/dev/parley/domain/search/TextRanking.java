package dev.parley.domain.search;

import java.util.List;

/** How well texts match, by how often and how rarely phrases occur (Okapi BM25). Not safe for concurrent use. */
public final class TextRanking {
    private static final double K = 1.2;
    private static final double B = 0.75;

    private final long[] with;
    private long measured;
    private long size;
    private long texts;

    /** Ranks texts by so many phrases. */
    public TextRanking(int phrases) {
        this.with = new long[phrases];
    }

    /** Measures a text, one that matches or, where they are all looked at, any: texts are long or short beside those that were measured. */
    public void measure(SearchedText text) {
        measured++;
        size += text.size();
    }

    /**
     * Counts a text that matches.
     *
     * @param places how often each phrase occurs in it
     */
    public void countMatch(List<Integer> places) {
        for (int i = 0; i < with.length; i++) {
            with[i] += places.get(i) > 0 ? 1 : 0;
        }
    }

    /** Says among how many texts the matches were found, where not all of them were measured. */
    public void among(long all) {
        texts = all;
    }

    /**
     * Returns how well a text matches; more is better.
     *
     * @param places how often each phrase occurs in it
     * @param length how much there is in it; see {@link SearchedText#size}
     */
    public double score(List<Integer> places, int length) {
        double average = Math.max(1.0, (double) size / Math.max(1, measured));
        long all = Math.max(measured, texts);
        double score = 0;
        for (int i = 0; i < with.length; i++) {
            double rarity = Math.max(1e-6, Math.log((all - with[i] + 0.5) / (with[i] + 0.5)));
            score += rarity * places.get(i) * (K + 1) / (places.get(i) + K * (1 - B + B * length / average));
        }
        return score;
    }
}
