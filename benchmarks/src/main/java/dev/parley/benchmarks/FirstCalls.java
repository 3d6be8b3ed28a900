package dev.parley.benchmarks;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** The first calls of a process, as a gateway makes them that appends now and then: nothing is compiled yet. */
final class FirstCalls {
    private FirstCalls() {}

    /** Makes calls in this process and prints how long they took in nanoseconds: the side, the folder, the work, how many. */
    public static void main(String[] arguments) throws Exception {
        int calls = Integer.parseInt(arguments[3]);
        try (Side side = Side.open(arguments[0], Path.of(arguments[1]))) {
            Call call = side.call(Work.valueOf(arguments[2]));
            long begun = System.nanoTime();
            for (int i = 0; i < calls; i++) {
                call.make();
            }
            System.out.println(System.nanoTime() - begun);
        }
    }

    /** Returns how often as fast the store is in the first calls of a process: the median of pairs of processes. */
    static double ratio(Work work, int messages, int calls, int pairs)
            throws IOException, SQLException, InterruptedException {
        List<Double> ratios = new ArrayList<>();
        for (int i = 0; i < pairs; i++) {
            Path folder = ChatFiles.copy(messages);
            double store = i % 2 == 0 ? nanos("store", folder, work, calls) : 0;
            double plain = nanos("plain", folder, work, calls);
            ratios.add(plain / (store > 0 ? store : nanos("store", folder, work, calls)));
            Stores.remove(folder);
        }
        return Rounds.median(ratios);
    }

    private static double nanos(String side, Path folder, Work work, int calls)
            throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        ProcessHandle.current().info().command().orElse("java"),
                        "-Dorg.jooq.no-logo=true",
                        "-Dorg.jooq.no-tips=true",
                        "-cp",
                        System.getProperty("java.class.path"),
                        FirstCalls.class.getName(),
                        side,
                        folder.toString(),
                        work.name(),
                        String.valueOf(calls))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        int status = process.waitFor();
        if (status != 0) {
            throw new IOException("The process of " + work + " on " + side + " ended with " + status + ".");
        }
        return Double.parseDouble(printed);
    }
}
