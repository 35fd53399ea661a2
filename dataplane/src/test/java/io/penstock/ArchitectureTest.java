package io.penstock;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Keeps the arrows of docs/architecture.md. */
class ArchitectureTest {
    private static final String INDEX = "io.penstock.index..";
    private static final String FFI = "io.penstock.ffi..";
    private static final String BINDINGS = "io.penstock.bindings..";
    private static final String DATAPLANE = "io.penstock.dataplane..";
    private static final String CORE = "io.penstock.dataplane.core..";
    private static final String ROUTING = "io.penstock.dataplane.routing..";

    private static JavaClasses classes;

    @BeforeAll
    static void importClasses() {
        classes = new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                // Another module's tests, packed for this one's.
                .withImportOption(location -> !location.contains("-tests.jar"))
                .importPackages("io.penstock");
        assertFalse(classes.isEmpty());
    }

    @Test
    void shouldKnowNothingOfOthersWhenInTheIndex() {
        noClasses()
                .that()
                .resideInAPackage(INDEX)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(FFI, BINDINGS, DATAPLANE)
                .check(classes);
    }

    @Test
    void shouldUseOnlyTheJdkWhenInTheFfi() {
        noClasses()
                .that()
                .resideInAPackage(FFI)
                .should()
                .dependOnClassesThat()
                .resideOutsideOfPackages("java..", FFI)
                .allowEmptyShould(true)
                .check(classes);
    }

    @Test
    void shouldKnowNeitherIndexNorProgramWhenInTheBindings() {
        noClasses()
                .that()
                .resideInAPackage(BINDINGS)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(INDEX, DATAPLANE)
                .allowEmptyShould(true)
                .check(classes);
    }

    @Test
    void shouldKnowNoSocketsFilesOrTextFormatsWhenInTheCore() {
        noClasses()
                .that()
                .resideInAnyPackage(CORE, ROUTING)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "io.netty..",
                        "com.fasterxml..",
                        "java.net..",
                        "java.nio.file..",
                        "java.util.concurrent.locks..",
                        "io.penstock.dataplane.http..",
                        "io.penstock.dataplane.ingest..",
                        "io.penstock.dataplane.tokens..",
                        BINDINGS)
                .allowEmptyShould(true)
                .check(classes);
    }
}
