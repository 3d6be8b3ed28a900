package dev.parley.bootstrap.config;

import java.time.Duration;

/**
 * How the gateway is one of several that share a database.
 *
 * @param name what the operator calls the node
 * @param lease for how long no other node takes its lanes after it was last heard of
 */
public record ClusterConfiguration(String name, Duration lease) {}
