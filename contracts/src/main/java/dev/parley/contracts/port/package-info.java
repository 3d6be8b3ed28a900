/** What platforms, agents and the smaller ports must do. A test class implements the contract of its port. */
@NullMarked
package dev.parley.contracts.port;

import org.jspecify.annotations.NullMarked;
