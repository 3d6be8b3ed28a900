package dev.parley.adapter.terminal;

/** A line that goes on: it ends with a backslash that is not itself behind one. */
final class Continued {
    private Continued() {}

    static boolean is(String line) {
        int backslashes = 0;
        for (int i = line.length() - 1; i >= 0 && line.charAt(i) == '\\'; i--) {
            backslashes++;
        }
        return backslashes % 2 == 1;
    }

    static String without(String line) {
        return line.substring(0, line.length() - 1);
    }
}
