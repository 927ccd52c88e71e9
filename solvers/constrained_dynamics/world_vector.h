// d numbers along the axes of the world, in pairs as the registers of any x86-64 hold them (SSE2);
// the fourth of three is 0. Eigen computes with three numbers one by one, and with the columns of a
// matrix stored by rows too; here both go pair by pair.

#ifndef PLIANT_SOLVERS_CONSTRAINED_DYNAMICS_WORLD_VECTOR_H_
#define PLIANT_SOLVERS_CONSTRAINED_DYNAMICS_WORLD_VECTOR_H_

namespace pliant {

template <int D>
struct WorldVector {
  static_assert(D == 2 || D == 3);
  using Pair __attribute__((vector_size(16))) = double;
  static constexpr int kPairs = (D + 1) / 2;
  Pair pairs[kPairs];

  static WorldVector Zero() { return WorldVector{}; }
  // The numbers are `stride` apart in memory.
  static WorldVector Load(const double* from, int stride = 1) {
    WorldVector x;
    x.pairs[0] = Pair{from[0], from[stride]};
    if constexpr (D == 3) x.pairs[1] = Pair{from[2 * stride], 0.0};
    return x;
  }
  void Store(double* to, int stride = 1) const {
    for (int i = 0; i < D; ++i) to[i * stride] = (*this)[i];
  }
  double operator[](int i) const { return pairs[i / 2][i % 2]; }

  WorldVector& operator+=(const WorldVector& other) {
    for (int i = 0; i < kPairs; ++i) pairs[i] += other.pairs[i];
    return *this;
  }
  WorldVector& operator-=(const WorldVector& other) {
    for (int i = 0; i < kPairs; ++i) pairs[i] -= other.pairs[i];
    return *this;
  }
  WorldVector& operator*=(double factor) {
    for (int i = 0; i < kPairs; ++i) pairs[i] *= factor;
    return *this;
  }
  friend WorldVector operator+(WorldVector a, const WorldVector& b) { return a += b; }
  friend WorldVector operator-(WorldVector a, const WorldVector& b) { return a -= b; }
  friend WorldVector operator*(double factor, WorldVector a) { return a *= factor; }
  friend WorldVector Products(WorldVector a, const WorldVector& b) {  // number by number
    for (int i = 0; i < kPairs; ++i) a.pairs[i] *= b.pairs[i];
    return a;
  }
  double Sum() const {
    Pair sum = pairs[0];
    if constexpr (D == 3) sum += pairs[1];
    return sum[0] + sum[1];
  }
  friend double Dot(const WorldVector& a, const WorldVector& b) { return Products(a, b).Sum(); }
};

}  // namespace pliant

#endif  // PLIANT_SOLVERS_CONSTRAINED_DYNAMICS_WORLD_VECTOR_H_
