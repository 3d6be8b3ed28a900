/** What a gateway does, as metrics for Prometheus. */
package dev.parley.adapter.metrics;
