package io.penstock.dataplane.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

final class JvmFlagsTest {
    @Test
    void shouldFindAllFlagsInEffectWhenStartedWithThem() {
        assertEquals(Optional.empty(), JvmFlags.load().firstMissing());
    }

    @Test
    void shouldNameTheFlagThatIsMissing() {
        for (String absent : List.of(
                "--add-exports=java.base/sun.security.util=ALL-UNNAMED",
                "--add-opens=java.base/java.nio.channels=ALL-UNNAMED",
                "-Dno.such.property=true",
                "--no-such-switch=allow")) {
            List<String> flags = new ArrayList<>(JvmFlags.load().flags());
            flags.add(2, absent);
            assertEquals(Optional.of(absent), new JvmFlags("test", flags).firstMissing());
        }
    }

    @Test
    void shouldReadFlagsWithoutCommentsAndBlankLines() {
        assertEquals(List.of("-Da=b", "-Xmx1g"), JvmFlags.parse("# c\n\n -Da=b \n-Xmx1g\n"));
    }

    @Test
    void shouldLeaveMemoryToTheProcessThatHasItsOwn() {
        assertEquals(
                List.of("-Da=b"),
                new JvmFlags("test", List.of("-Da=b", "-Xmx1g", "-XX:+UseG1GC", "-Xms1g")).withoutMemory());
    }

    @Test
    void shouldPackageTheOneFlagsFile() throws Exception {
        Path file = Path.of(System.getProperty("penstock.root"), "config", "jvm.flags");
        assertEquals(JvmFlags.parse(Files.readString(file)), JvmFlags.load().flags());
    }

    @Test
    void shouldOpenInTheManifestWhatTheFlagsOpen() throws Exception {
        String pom = Files.readString(Path.of(System.getProperty("penstock.root"), "dataplane", "pom.xml"));
        assertEquals(inFlags("--add-exports="), inManifest(pom, "Add-Exports"));
        assertEquals(inFlags("--add-opens="), inManifest(pom, "Add-Opens"));
        assertTrue(pom.contains("<Enable-Native-Access>ALL-UNNAMED<"));
    }

    private static Set<String> inFlags(String kind) {
        Set<String> targets = new TreeSet<>();
        for (String flag : JvmFlags.load().flags()) {
            if (flag.startsWith(kind)) {
                targets.add(flag.substring(kind.length(), flag.lastIndexOf('=')));
            }
        }
        return targets;
    }

    private static Set<String> inManifest(String pom, String entry) {
        Matcher matcher = Pattern.compile("<" + entry + ">([^<]*)</").matcher(pom);
        assertTrue(matcher.find(), entry);
        return new TreeSet<>(Arrays.asList(matcher.group(1).split(" ")));
    }
}
