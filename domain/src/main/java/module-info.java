/** Pure values and rules of conversations; needs nothing but the platform. */
module dev.parley.domain {
    requires static org.jspecify;
}
