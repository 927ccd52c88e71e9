// Along a chain multipliers and strain rates decay geometrically, soon below 2.2e-308, where an x86
// takes a hundred times as long for a product: two thirds of the step of a thousand bars. While this
// object lives, such numbers are zero (MXCSR: FTZ and DAZ). It does nothing on other machines.

#ifndef PLIANT_SOLVERS_LINEAR_DEFORMATION_FLUSH_SUBNORMALS_H_
#define PLIANT_SOLVERS_LINEAR_DEFORMATION_FLUSH_SUBNORMALS_H_

#ifdef __SSE2__
#include <xmmintrin.h>
#endif

namespace pliant::linear_deformation {

class FlushSubnormals {
 public:
  FlushSubnormals() : before_(Mode()) { SetMode(before_ | kFlush); }
  ~FlushSubnormals() { SetMode(before_); }
  FlushSubnormals(const FlushSubnormals&) = delete;
  FlushSubnormals& operator=(const FlushSubnormals&) = delete;

 private:
  static constexpr unsigned kFlush = 0x8040;
#ifdef __SSE2__
  static unsigned Mode() { return _mm_getcsr(); }
  static void SetMode(unsigned mode) { _mm_setcsr(mode); }
#else
  static unsigned Mode() { return 0; }
  static void SetMode(unsigned) {}
#endif
  unsigned before_;
};

}  // namespace pliant::linear_deformation

#endif  // PLIANT_SOLVERS_LINEAR_DEFORMATION_FLUSH_SUBNORMALS_H_
