// Compiles a function also for processors with wider vectors; the loader selects one version when
// the program starts. The compiler does not fuse operations by itself, and all versions fuse what
// is written as std::fma, so that all give the same bytes. (Processors before 2013 emulate std::fma
// in software, about fifty times as slowly.)

#ifndef PLIANT_MODELS_GEOMETRY_WIDE_VECTORS_H_
#define PLIANT_MODELS_GEOMETRY_WIDE_VECTORS_H_

#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define PLIANT_WIDE_VECTORS \
  __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define PLIANT_WIDE_VECTORS
#endif

#endif  // PLIANT_MODELS_GEOMETRY_WIDE_VECTORS_H_
