#pragma once

/// Before a loop with a constant number of rounds: lay all of them out, so that every index is a constant and arrays
/// of vectors can live in registers.
#if defined(__clang__)
#define HALFSTEP_UNROLL _Pragma("clang loop unroll(full)")
#else
#define HALFSTEP_UNROLL _Pragma("GCC unroll 16")
#endif

/// The two arrays pass through memory here. Without it a compiler tries to keep them in registers across two stages
/// of a transform, and spends its time on spills.
#define HALFSTEP_KEEP_IN_MEMORY(a, b) asm volatile("" : : "r"(a), "r"(b) : "memory")
