package io.penstock.index;

import java.util.UUID;

/** Lets this JVM believe that the machine was booted again. */
final class BootIdProperty {
    private static final String NAME = "penstock.index.bootId";

    private BootIdProperty() {}

    static void another() {
        System.setProperty(NAME, UUID.randomUUID().toString());
    }

    static void real() {
        System.clearProperty(NAME);
    }
}
