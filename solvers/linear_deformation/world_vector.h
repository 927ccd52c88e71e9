// d numbers along the axes of the world, of one body or of four at once.
//
// For one body they are stored in pairs, like the registers of any x86-64 (SSE2); the fourth of
// three is 0. Eigen computes with three numbers one by one, and with the columns of a matrix stored
// by rows too; here both go pair by pair.
//
// Of four bodies every number is a vector with a lane for each of them: sums over axes cross no
// lanes.

#ifndef PLIANT_SOLVERS_LINEAR_DEFORMATION_WORLD_VECTOR_H_
#define PLIANT_SOLVERS_LINEAR_DEFORMATION_WORLD_VECTOR_H_

#include <array>
#include <cstddef>

namespace pliant::linear_deformation {

// One number of each of four bodies. A vector by itself would not be aligned alike in all clones of
// wide_vectors.h.
struct alignas(32) FourNumbers {
  using Vector __attribute__((vector_size(32))) = double;
  using Pair __attribute__((vector_size(16))) = double;
  using Anywhere __attribute__((vector_size(32), aligned(8))) = double;  // in memory
  using PairAnywhere __attribute__((vector_size(16), aligned(8))) = double;
  Vector lanes;

  FourNumbers() = default;
  FourNumbers(double all) : lanes{all, all, all, all} {}  // NOLINT(*-explicit-*): as a number
  explicit FourNumbers(const Vector& of_lanes) : lanes(of_lanes) {}

  FourNumbers& operator+=(const FourNumbers& other) {
    lanes += other.lanes;
    return *this;
  }
  FourNumbers& operator*=(const FourNumbers& other) {
    lanes *= other.lanes;
    return *this;
  }
  friend FourNumbers operator+(const FourNumbers& a, const FourNumbers& b) {
    return FourNumbers(a.lanes + b.lanes);
  }
  friend FourNumbers operator-(const FourNumbers& a, const FourNumbers& b) {
    return FourNumbers(a.lanes - b.lanes);
  }
  friend FourNumbers operator*(const FourNumbers& a, const FourNumbers& b) {
    return FourNumbers(a.lanes * b.lanes);
  }
  friend FourNumbers operator-(const FourNumbers& a) { return FourNumbers(-a.lanes); }

  // Of four numbers in a row.
  static FourNumbers Load(const double* from) {
    FourNumbers numbers;
    numbers.lanes = *reinterpret_cast<const Anywhere*>(from);
    return numbers;
  }
  void Store(double* to) const { *reinterpret_cast<Anywhere*>(to) = lanes; }

  // Four numbers of each of four rows: rows to columns and back.
  static void Transpose(std::array<FourNumbers, 4>* numbers) {
    auto& [a, b, c, d] = *numbers;
    const Vector even_ab = __builtin_shufflevector(a.lanes, b.lanes, 0, 4, 2, 6);
    const Vector odd_ab = __builtin_shufflevector(a.lanes, b.lanes, 1, 5, 3, 7);
    const Vector even_cd = __builtin_shufflevector(c.lanes, d.lanes, 0, 4, 2, 6);
    const Vector odd_cd = __builtin_shufflevector(c.lanes, d.lanes, 1, 5, 3, 7);
    a.lanes = __builtin_shufflevector(even_ab, even_cd, 0, 1, 4, 5);
    b.lanes = __builtin_shufflevector(odd_ab, odd_cd, 0, 1, 4, 5);
    c.lanes = __builtin_shufflevector(even_ab, even_cd, 2, 3, 6, 7);
    d.lanes = __builtin_shufflevector(odd_ab, odd_cd, 2, 3, 6, 7);
  }
};

template <int D, int L>
struct WorldVector;

template <int D>
struct WorldVector<D, 4> {
  static_assert(D == 2 || D == 3);
  static constexpr int L = 4;
  using Number = FourNumbers;
  using Rows = std::array<int, L>;
  Number axes[D];

  // Row rows[lane] of n×d.
  void SubtractFromRows(double* to, const Rows& rows) const {
    if constexpr (D == 2) {
      const auto even = __builtin_shufflevector(axes[0].lanes, axes[1].lanes, 0, 4, 2, 6);
      const auto odd = __builtin_shufflevector(axes[0].lanes, axes[1].lanes, 1, 5, 3, 7);
      *PairAt(to, rows[0]) -= __builtin_shufflevector(even, even, 0, 1);
      *PairAt(to, rows[1]) -= __builtin_shufflevector(odd, odd, 0, 1);
      *PairAt(to, rows[2]) -= __builtin_shufflevector(even, even, 2, 3);
      *PairAt(to, rows[3]) -= __builtin_shufflevector(odd, odd, 2, 3);
    } else {
      for (int lane = 0; lane < L; ++lane) {
        for (int i = 0; i < D; ++i) At(to, rows[lane])[i] -= axes[i].lanes[lane];
      }
    }
  }
  // The same in all lanes.
  static WorldVector All(const double* from) {
    WorldVector x;
    for (int i = 0; i < D; ++i) x.axes[i] = from[i];
    return x;
  }

  WorldVector& operator+=(const WorldVector& other) {
    for (int i = 0; i < D; ++i) axes[i] += other.axes[i];
    return *this;
  }
  WorldVector& operator*=(const Number& factor) {
    for (int i = 0; i < D; ++i) axes[i] *= factor;
    return *this;
  }
  friend WorldVector operator+(const WorldVector& a, const WorldVector& b) {
    WorldVector sum = a;
    return sum += b;
  }
  friend WorldVector operator*(const Number& factor, const WorldVector& a) {
    WorldVector product = a;
    return product *= factor;
  }
  friend Number Dot(const WorldVector& a, const WorldVector& b) {
    Number sum = a.axes[0] * b.axes[0];
    for (int i = 1; i < D; ++i) sum += a.axes[i] * b.axes[i];
    return sum;
  }
  static double SumOfLanes(const Number& number) {
    return (number.lanes[0] + number.lanes[1]) + (number.lanes[2] + number.lanes[3]);
  }
  static void SetLane(int lane, double value, Number* number) { number->lanes[lane] = value; }
  void StoreLane(int lane, double* to) const {
    for (int i = 0; i < D; ++i) to[i] = axes[i].lanes[lane];
  }
  void AddToLane(int lane, const double* from) {
    for (int i = 0; i < D; ++i) axes[i].lanes[lane] += from[i];
  }

 private:
  template <typename Real>
  static Real* At(Real* first, int row) {
    return first + static_cast<std::ptrdiff_t>(row) * D;
  }
  static Number::PairAnywhere* PairAt(double* first, int row) {
    return reinterpret_cast<Number::PairAnywhere*>(At(first, row));
  }
};

template <int D>
struct WorldVector<D, 1> {
  static_assert(D == 2 || D == 3);
  using Number = double;
  using Rows = std::array<int, 1>;
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
  static WorldVector LoadRows(const double* from, const Rows& rows) {
    return Load(from + static_cast<std::ptrdiff_t>(rows[0]) * D);
  }
  void SubtractFromRows(double* to, const Rows& rows) const {
    double* row = to + static_cast<std::ptrdiff_t>(rows[0]) * D;
    WorldVector left = Load(row);
    for (int i = 0; i < kPairs; ++i) left.pairs[i] -= pairs[i];
    left.Store(row);
  }
  static WorldVector All(const double* from) { return Load(from); }
  double operator[](int i) const { return pairs[i / 2][i % 2]; }

  WorldVector& operator+=(const WorldVector& other) {
    for (int i = 0; i < kPairs; ++i) pairs[i] += other.pairs[i];
    return *this;
  }
  WorldVector& operator*=(double factor) {
    for (int i = 0; i < kPairs; ++i) pairs[i] *= factor;
    return *this;
  }
  friend WorldVector operator+(WorldVector a, const WorldVector& b) { return a += b; }
  friend WorldVector operator*(double factor, WorldVector a) { return a *= factor; }
  friend WorldVector Products(WorldVector a, const WorldVector& b) {
    for (int i = 0; i < kPairs; ++i) a.pairs[i] *= b.pairs[i];
    return a;
  }
  double Sum() const {
    Pair sum = pairs[0];
    if constexpr (D == 3) sum += pairs[1];
    return sum[0] + sum[1];
  }
  friend double Dot(const WorldVector& a, const WorldVector& b) { return Products(a, b).Sum(); }
  static double SumOfLanes(double number) { return number; }
  static void SetLane(int /*lane*/, double value, double* number) { *number = value; }
  void StoreLane(int /*lane*/, double* to) const { Store(to); }
  void AddToLane(int /*lane*/, const double* from) { *this += Load(from); }
};

}  // namespace pliant::linear_deformation

#endif  // PLIANT_SOLVERS_LINEAR_DEFORMATION_WORLD_VECTOR_H_
