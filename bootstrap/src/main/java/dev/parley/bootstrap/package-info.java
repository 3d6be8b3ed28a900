/** The program: what {@code ./parley} starts. */
package dev.parley.bootstrap;
