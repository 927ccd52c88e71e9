#include "exact_contact.h"

#include <functional>

namespace pliant {
namespace {

using Polynomial = std::vector<mpq_class>;  // ascending powers; the last is not 0
using Vector = std::array<Polynomial, 3>;

void Trim(Polynomial* p) {
  while (!p->empty() && p->back() == 0) p->pop_back();
}
Polynomial operator*(const Polynomial& p, const Polynomial& q) {
  if (p.empty() || q.empty()) return {};
  Polynomial product(p.size() + q.size() - 1);
  for (size_t i = 0; i < p.size(); ++i) {
    for (size_t j = 0; j < q.size(); ++j) product[i + j] += p[i] * q[j];
  }
  Trim(&product);
  return product;
}
Polynomial Sum(const Polynomial& p, const Polynomial& q, int sign) {
  Polynomial sum(std::max(p.size(), q.size()));
  for (size_t i = 0; i < p.size(); ++i) sum[i] += p[i];
  for (size_t i = 0; i < q.size(); ++i) sum[i] += sign * q[i];
  Trim(&sum);
  return sum;
}
Polynomial operator+(const Polynomial& p, const Polynomial& q) { return Sum(p, q, 1); }
Polynomial operator-(const Polynomial& p, const Polynomial& q) { return Sum(p, q, -1); }

Vector operator-(const Vector& a, const Vector& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
Vector Cross(const Vector& a, const Vector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
Polynomial Dot(const Vector& a, const Vector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
Vector Of(const PointMotion& motion) {
  Vector x;
  for (int k = 0; k < 3; ++k) {
    const mpq_class start(motion.start[k]), end(motion.end[k]);
    x[k] = {start, end - start};
    Trim(&x[k]);
  }
  return x;
}

mpq_class At(const Polynomial& p, const mpq_class& t) {
  mpq_class value;
  for (size_t i = p.size(); i-- > 0;) value = value * t + p[i];
  return value;
}
Polynomial Remainder(Polynomial p, const Polynomial& divisor) {
  while (p.size() >= divisor.size()) {
    const mpq_class factor = p.back() / divisor.back();
    const size_t shift = p.size() - divisor.size();
    for (size_t i = 0; i < divisor.size(); ++i) p[shift + i] -= factor * divisor[i];
    p.pop_back();  // 0 now
    Trim(&p);
  }
  return p;
}
Polynomial CommonDivisor(Polynomial p, Polynomial q) {
  while (!q.empty()) {
    Polynomial rest = Remainder(p, q);
    p = std::move(q);
    q = std::move(rest);
  }
  return p;
}
Polynomial Derivative(const Polynomial& p) {
  Polynomial derivative;
  for (size_t i = 1; i < p.size(); ++i)
    derivative.push_back(mpq_class(static_cast<long>(i)) * p[i]);
  return derivative;
}

// p without its multiple roots.
Polynomial SquareFree(const Polynomial& p) {
  const Polynomial divisor = CommonDivisor(p, Derivative(p));
  Polynomial rest = p, quotient(p.size() - divisor.size() + 1);
  while (rest.size() >= divisor.size()) {
    const size_t shift = rest.size() - divisor.size();
    const mpq_class factor = rest.back() / divisor.back();
    quotient[shift] = factor;
    for (size_t i = 0; i < divisor.size(); ++i) rest[shift + i] -= factor * divisor[i];
    Trim(&rest);
  }
  return quotient;
}

// Roots of a polynomial that is not 0, each counted once.
class Sturm {
 public:
  explicit Sturm(const Polynomial& p) : chain_{SquareFree(p)} {
    Polynomial next = Derivative(chain_[0]);
    while (!next.empty()) {
      chain_.push_back(next);
      next = Remainder(chain_[chain_.size() - 2], chain_.back());
      for (mpq_class& c : next) c = -c;
    }
  }
  // In (lower, upper].
  int Count(const mpq_class& lower, const mpq_class& upper) const {
    return Changes(lower) - Changes(upper);
  }

 private:
  int Changes(const mpq_class& t) const {
    int changes = 0, last = 0;
    for (const Polynomial& p : chain_) {
      const int sign = sgn(At(p, t));
      if (sign == 0) continue;
      changes += last != 0 && sign != last;
      last = sign;
    }
    return changes;
  }
  std::vector<Polynomial> chain_;
};

// One root of a polynomial, in (lower, upper]; or, for lower = upper, that number.
struct Root {
  const Polynomial* p;
  const Sturm* sturm;
  mpq_class lower, upper;

  void Halve() {
    if (lower == upper) return;
    const mpq_class middle = (lower + upper) / 2;
    (sturm->Count(lower, middle) > 0 ? upper : lower) = middle;
  }
  int SignOf(const Polynomial& g) {
    if (g.empty()) return 0;
    if (lower == upper) return sgn(At(g, upper));
    const Polynomial common = CommonDivisor(*p, g);
    if (common.size() > 1 && Sturm(common).Count(lower, upper) > 0) return 0;
    const Sturm others(g);
    while (others.Count(lower, upper) > 0) Halve();
    return sgn(At(g, upper));
  }
};

using SignOf = std::function<int(const Polynomial&)>;
using Touches = std::function<bool(const SignOf&)>;

// The first root of p in [0, 1] at which the parts touch.
void TakeRoots(const Polynomial& p, const Touches& touches, std::optional<ExactTime>* first) {
  if (p.size() < 2) return;
  const Sturm sturm(p);
  std::vector<Root> waiting;
  if (At(p, 0) == 0) waiting.push_back({&p, &sturm, 0, 0});
  if (sturm.Count(0, 1) > 0) waiting.push_back({&p, &sturm, 0, 1});
  while (!waiting.empty()) {
    Root root = waiting.back();
    waiting.pop_back();
    if (root.lower != root.upper && sturm.Count(root.lower, root.upper) > 1) {
      const mpq_class middle = (root.lower + root.upper) / 2;
      for (const auto& [lower, upper] : {std::pair(root.lower, middle), {middle, root.upper}}) {
        if (sturm.Count(lower, upper) > 0) waiting.push_back({&p, &sturm, lower, upper});
      }
      continue;
    }
    if (!touches([&root](const Polynomial& g) { return root.SignOf(g); })) continue;
    while (root.upper - root.lower > mpq_class(0x1p-40)) root.Halve();
    if (!*first || root.upper < (*first)->upper) *first = {root.lower, root.upper};
  }
}

// `main` is 0 wherever they touch; `all` are the polynomials whose signs `touches` asks for.
std::optional<ExactTime> Decide(const Polynomial& main, const std::vector<Polynomial>& all,
                                const Touches& touches) {
  std::optional<ExactTime> first;
  if (touches([](const Polynomial& g) { return sgn(At(g, 0)); })) return ExactTime{0, 0};
  if (!main.empty()) {
    TakeRoots(main, touches, &first);
  } else {
    for (const Polynomial& p : all) TakeRoots(p, touches, &first);
  }
  return first;
}

struct PointOnSegment {
  PointOnSegment(const Vector& p, const Vector& a, const Vector& b)
      : cross(Cross(p - a, b - a)), dot(Dot(p - a, p - b)) {}
  bool operator()(const SignOf& sign) const {
    return sign(cross[0]) == 0 && sign(cross[1]) == 0 && sign(cross[2]) == 0 && sign(dot) <= 0;
  }
  void AddTo(std::vector<Polynomial>* all) const {
    all->insert(all->end(), cross.begin(), cross.end());
    all->push_back(dot);
  }
  Vector cross;
  Polynomial dot;
};

bool IsZero(const Vector& v, const SignOf& sign) {
  return sign(v[0]) == 0 && sign(v[1]) == 0 && sign(v[2]) == 0;
}

}  // namespace

std::optional<ExactTime> ExactContact(const PointMotion& point,
                                      const std::array<PointMotion, 3>& face) {
  const Vector p = Of(point);
  const std::array<Vector, 3> x = {Of(face[0]), Of(face[1]), Of(face[2])};
  const Vector normal = Cross(x[1] - x[0], x[2] - x[0]);
  const Polynomial volume = Dot(normal, p - x[0]);
  std::vector<Polynomial> all(normal.begin(), normal.end()), inside;
  std::vector<PointOnSegment> sides;
  for (int k = 0; k < 3; ++k) {
    const Vector &a = x[k], &b = x[(k + 1) % 3];
    inside.push_back(Dot(normal, Cross(b - a, p - a)));
    all.push_back(inside.back());
    sides.emplace_back(p, a, b);
    sides.back().AddTo(&all);
  }
  return Decide(volume, all, [&](const SignOf& sign) {
    if (sign(volume) != 0) return false;
    if (!IsZero(normal, sign) && sign(inside[0]) >= 0 && sign(inside[1]) >= 0 &&
        sign(inside[2]) >= 0) {
      return true;
    }
    return sides[0](sign) || sides[1](sign) || sides[2](sign);
  });
}

std::optional<ExactTime> ExactContact(const std::array<PointMotion, 2>& first,
                                      const std::array<PointMotion, 2>& second) {
  const Vector a = Of(first[0]), b = Of(first[1]), c = Of(second[0]), d = Of(second[1]);
  const Vector normal = Cross(b - a, d - c);
  const Polynomial volume = Dot(normal, c - a);
  const Polynomial whole = Dot(normal, normal);
  const Polynomial s = Dot(Cross(c - a, d - c), normal), t = Dot(Cross(c - a, b - a), normal);
  const std::array<Polynomial, 4> inside = {s, whole - s, t, whole - t};
  const std::array<PointOnSegment, 4> ends = {PointOnSegment(a, c, d), PointOnSegment(b, c, d),
                                              PointOnSegment(c, a, b), PointOnSegment(d, a, b)};
  std::vector<Polynomial> all(normal.begin(), normal.end());
  all.insert(all.end(), inside.begin(), inside.end());
  for (const PointOnSegment& end : ends) end.AddTo(&all);
  return Decide(volume, all, [&](const SignOf& sign) {
    if (sign(volume) != 0) return false;
    if (!IsZero(normal, sign)) {
      for (const Polynomial& p : inside) {
        if (sign(p) < 0) return false;
      }
      return true;
    }
    return ends[0](sign) || ends[1](sign) || ends[2](sign) || ends[3](sign);
  });
}

std::optional<ExactTime> ExactContact(const PointMotion& point,
                                      const std::array<PointMotion, 2>& edge) {
  const PointOnSegment on(Of(point), Of(edge[0]), Of(edge[1]));
  std::vector<Polynomial> all;
  on.AddTo(&all);
  // Of the three, one that is not 0 for all times.
  Polynomial main;
  for (const Polynomial& p : on.cross) {
    if (main.empty()) main = p;
  }
  return Decide(main, all, on);
}

}  // namespace pliant
