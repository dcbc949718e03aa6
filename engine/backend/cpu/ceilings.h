#pragma once
#include <cstddef>
#include <string>

namespace halfstep::backend::cpu {

/// The rates that no kernel of this machine can pass, measured: what a roofline is drawn from. On a busy machine the
/// memory's rates are those that are left (two threads that never run at once show one thread's); multiply-adds are
/// timed by processor time, which others do not lengthen.
struct MachineCeilings {
    std::string isa;       ///< "avx2": the set that they were measured with
    int threads = 0;       ///< that ran at once
    double fmaGflops = 0;  ///< 10^9 float32 operations/s of multiply-adds in registers; one counts as two operations
    double readGbps = 0;   ///< 10^9 bytes/s, from arrays far larger than the caches: summing one
    double copyGbps = 0;   ///< reading one and writing another; bytes as the program counts them, as in STREAM
    double triadGbps = 0;  ///< reading two and writing a third
    std::size_t bytes = 0; ///< of all arrays together

    /// The best of the three.
    double memoryGbps() const;
};

struct CeilingOptions {
    int threads = 0;             ///< 0: all cores
    std::string isa = "auto";    ///< as in BackendOptions
    int trials = 100;            ///< short ones, of which the best counts: whatever else runs only takes away
    double trialSeconds = 0.001; ///< of multiply-adds
    std::size_t leastBytes = 0;  ///< of the arrays together; 0: four times the last cache, 256 MiB to 2 GiB
};

/// Takes about half a second. Throws ConfigError if the instruction set is unknown or missing, OutOfMemoryError if
/// the arrays do not fit.
MachineCeilings measureCeilings(const CeilingOptions& options = {});

} // namespace halfstep::backend::cpu
