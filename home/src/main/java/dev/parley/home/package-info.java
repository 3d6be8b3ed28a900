/**
 * What makes a gateway survive: a home directory that one process at a time holds, markers in it that tell a crash from a stop, and
 * threads of which agents cannot take the gateway's. {@link dev.parley.home.GatewayHome} is the way in.
 */
@NullMarked
package dev.parley.home;

import org.jspecify.annotations.NullMarked;
