package dev.parley.application.spi;

import dev.parley.application.port.LifecycleHooks;

/** Makes what is told about the life of sessions. Found as a service. The hooks of each plug-in are called independently of the others. */
public interface HooksProvider extends ExtensionProvider<LifecycleHooks> {}
