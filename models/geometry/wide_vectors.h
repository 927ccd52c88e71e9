// Compiles a function again for processors with wider vectors; which one is called is found out
// once, when the program is loaded. The compiler fuses nothing by itself, and what is written as
// std::fma is fused by all of them, so that all give the same bytes. (Processors before 2013 do
// that in software, some fifty times as slowly.)

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
