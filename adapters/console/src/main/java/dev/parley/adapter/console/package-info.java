/** A web console: what every conversation does, and why. */
@JStachePath(prefix = "dev/parley/adapter/console/", suffix = ".mustache")
package dev.parley.adapter.console;

import io.jstach.jstache.JStachePath;
