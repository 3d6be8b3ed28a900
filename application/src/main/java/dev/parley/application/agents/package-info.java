/** The agents of the lanes, kept between turns so that what they have built up is used again. */
@NullMarked
package dev.parley.application.agents;

import org.jspecify.annotations.NullMarked;
