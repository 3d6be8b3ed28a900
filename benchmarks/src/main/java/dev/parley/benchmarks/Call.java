package dev.parley.benchmarks;

/** One call of something that is measured. */
@FunctionalInterface
interface Call {
    /** Makes the call. */
    void make() throws Exception;
}
