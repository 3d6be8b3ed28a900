package dev.parley.application.spi;

import dev.parley.application.port.Authorization;

/**
 * Makes what decides who may talk. Found as a service. It takes nothing from the configuration: a person may talk where the lists of the
 * configuration and every plug-in let them, and is an admin where one of them says so.
 */
public interface AuthorizationProvider extends ExtensionProvider<Authorization> {}
