// How often a program has asked for memory: everything goes through the malloc below, that of
// operator new and Eigen's included. To be included by one file of a program. Sanitizers have a
// malloc of their own: there PLIANT_COUNTS_ALLOCATIONS is not defined.

#ifndef PLIANT_TESTS_COUNTED_ALLOCATIONS_H_
#define PLIANT_TESTS_COUNTED_ALLOCATIONS_H_

#ifndef PLIANT_SANITIZED
#define PLIANT_COUNTS_ALLOCATIONS

#include <atomic>
#include <cstddef>

namespace {
std::atomic<long> allocations{0};
}  // namespace

extern "C" {
void* __libc_malloc(size_t);                                              // NOLINT
void* __libc_calloc(size_t, size_t);                                      // NOLINT
void* __libc_realloc(void*, size_t);                                      // NOLINT
void* malloc(size_t size) { return ++allocations, __libc_malloc(size); }  // NOLINT
void* calloc(size_t count, size_t size) {                                 // NOLINT
  return ++allocations, __libc_calloc(count, size);
}
void* realloc(void* old, size_t size) {  // NOLINT
  return ++allocations, __libc_realloc(old, size);
}
}

#endif

#endif  // PLIANT_TESTS_COUNTED_ALLOCATIONS_H_
