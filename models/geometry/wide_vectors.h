// Compiles a function again for processors with wider vectors; which one is called is found out
// once, when the program is loaded. Nothing is contracted, so that all give the same bytes.

#ifndef PLIANT_MODELS_GEOMETRY_WIDE_VECTORS_H_
#define PLIANT_MODELS_GEOMETRY_WIDE_VECTORS_H_

#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define PLIANT_WIDE_VECTORS __attribute__((target_clones("arch=x86-64-v4", "avx2", "default")))
#else
#define PLIANT_WIDE_VECTORS
#endif

#endif  // PLIANT_MODELS_GEOMETRY_WIDE_VECTORS_H_
