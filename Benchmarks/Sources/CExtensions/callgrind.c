#include "extensions.h"
#include <stdint.h>

// The client requests of `valgrind/callgrind.h`, which is not installed everywhere. Valgrind recognises the sequence of rotations,
// which leaves the register as it was, and the exchange after it. Without valgrind they have no effect.

static void request(uintptr_t number) {
    volatile uintptr_t arguments[6] = {number};
#if defined(__x86_64__)
    uintptr_t result = 0;
    __asm__ volatile(
        "rolq $3, %%rdi; rolq $13, %%rdi; rolq $61, %%rdi; rolq $51, %%rdi; xchgq %%rbx, %%rbx"
        : "+d"(result)
        : "a"(&arguments[0])
        : "cc", "memory");
#elif defined(__aarch64__)
    __asm__ volatile(
        "mov x3, #0; mov x4, %0; ror x12, x12, #3; ror x12, x12, #13; ror x12, x12, #51; ror x12, x12, #61; orr x10, x10, x10"
        :
        : "r"(&arguments[0])
        : "cc", "memory", "x3", "x4");
#endif
}

enum { tool = 'C' << 24 | 'T' << 16 };

void ccallgrind_start(void) {
    request(tool + 4);
}

void ccallgrind_stop(void) {
    request(tool + 5);
}
