/** What the application needs from outside: storage, agents, platforms, time. Each port has a contract test. */
@NullMarked
package dev.parley.application.port;

import org.jspecify.annotations.NullMarked;
