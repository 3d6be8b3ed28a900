/** Traces of turns for a collector that speaks OTLP. */
package dev.parley.adapter.otlp;
