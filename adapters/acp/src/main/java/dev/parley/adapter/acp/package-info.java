/** Programs that speak the Agent Client Protocol over their standard streams, as agents. */
@NullMarked
package dev.parley.adapter.acp;

import org.jspecify.annotations.NullMarked;
