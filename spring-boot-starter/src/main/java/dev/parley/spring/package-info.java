/** A gateway in an application of Spring Boot. */
@NullMarked
package dev.parley.spring;

import org.jspecify.annotations.NullMarked;
