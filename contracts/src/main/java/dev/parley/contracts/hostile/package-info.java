/**
 * Plug-ins that misbehave, for tests of gateways: every kind of plug-in, wrapped so that it throws, hangs, answers twice, late or
 * without end at any of its calls. What misbehaves when is drawn by seed or said by a test.
 */
@NullMarked
package dev.parley.contracts.hostile;

import org.jspecify.annotations.NullMarked;
