package io.penstock.ffi.nixl;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BOOLEAN;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.invoke.MethodHandle;

/**
 * Calls by the shape of their arguments, in the letters of JVM descriptors: J a handle, an address or a {@code size_t}, A
 * memory of the caller's, I an {@code int} or an enum, Z a {@code bool}, S a {@code uint16_t}. Each takes the function's
 * address first, so the handles are constants of the class, which the compiler can inline, and the library may still be
 * chosen when the program runs.
 *
 * <p>None is {@code critical}: what is called often takes the agent's lock.
 *
 * <p><b>Threading:</b> immutable.
 */
final class Shapes {
    static final MethodHandle IS_STUB = Linker.nativeLinker().downcallHandle(FunctionDescriptor.of(JAVA_BOOLEAN));
    static final MethodHandle A = returningStatus(ADDRESS);
    static final MethodHandle J = returningStatus(JAVA_LONG);
    static final MethodHandle AA = returningStatus(ADDRESS, ADDRESS);
    static final MethodHandle IA = returningStatus(JAVA_INT, ADDRESS);
    static final MethodHandle JA = returningStatus(JAVA_LONG, ADDRESS);
    static final MethodHandle JI = returningStatus(JAVA_LONG, JAVA_INT);
    static final MethodHandle JJ = returningStatus(JAVA_LONG, JAVA_LONG);
    static final MethodHandle JS = returningStatus(JAVA_LONG, JAVA_SHORT);
    static final MethodHandle JZ = returningStatus(JAVA_LONG, JAVA_BOOLEAN);
    static final MethodHandle AAA = returningStatus(ADDRESS, ADDRESS, ADDRESS);
    static final MethodHandle JAA = returningStatus(JAVA_LONG, ADDRESS, ADDRESS);
    static final MethodHandle JAJ = returningStatus(JAVA_LONG, ADDRESS, JAVA_LONG);
    static final MethodHandle JJA = returningStatus(JAVA_LONG, JAVA_LONG, ADDRESS);
    static final MethodHandle JJJ = returningStatus(JAVA_LONG, JAVA_LONG, JAVA_LONG);
    static final MethodHandle JAAA = returningStatus(JAVA_LONG, ADDRESS, ADDRESS, ADDRESS);
    static final MethodHandle JAJA = returningStatus(JAVA_LONG, ADDRESS, JAVA_LONG, ADDRESS);
    static final MethodHandle JJAA = returningStatus(JAVA_LONG, JAVA_LONG, ADDRESS, ADDRESS);
    static final MethodHandle JJAJ = returningStatus(JAVA_LONG, JAVA_LONG, ADDRESS, JAVA_LONG);
    static final MethodHandle JJJJ = returningStatus(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);
    static final MethodHandle JAAJJ = returningStatus(JAVA_LONG, ADDRESS, ADDRESS, JAVA_LONG, JAVA_LONG);
    static final MethodHandle JAJAJ = returningStatus(JAVA_LONG, ADDRESS, JAVA_LONG, ADDRESS, JAVA_LONG);
    static final MethodHandle JJAAJ = returningStatus(JAVA_LONG, JAVA_LONG, ADDRESS, ADDRESS, JAVA_LONG);
    static final MethodHandle JJJAA = returningStatus(JAVA_LONG, JAVA_LONG, JAVA_LONG, ADDRESS, ADDRESS);
    static final MethodHandle JJJJA = returningStatus(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, ADDRESS);
    static final MethodHandle JJJAAA = returningStatus(JAVA_LONG, JAVA_LONG, JAVA_LONG, ADDRESS, ADDRESS, ADDRESS);
    static final MethodHandle JJJJAJ = returningStatus(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, ADDRESS, JAVA_LONG);
    static final MethodHandle JIJJAAJ =
            returningStatus(JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, ADDRESS, ADDRESS, JAVA_LONG);
    static final MethodHandle JIJAJJAJAJ = returningStatus(
            JAVA_LONG, JAVA_INT, JAVA_LONG, ADDRESS, JAVA_LONG, JAVA_LONG, ADDRESS, JAVA_LONG, ADDRESS, JAVA_LONG);

    private Shapes() {}

    private static MethodHandle returningStatus(MemoryLayout... arguments) {
        return Linker.nativeLinker().downcallHandle(FunctionDescriptor.of(JAVA_INT, arguments));
    }
}
