package dev.parley.contracts.level;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Says of a contract that others build on which contract has all their tests. A level is passed only where every test that the whole
 * contract has on that level ran, also by a class that implements a part of it.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface PartOf {
    /** The whole contract. */
    Class<?> value();
}
