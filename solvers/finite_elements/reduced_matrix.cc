#include "solvers/finite_elements/reduced_matrix.h"
#include "solvers/parallel/cancellation.h"

#include <Eigen/CholmodSupport>
#include <algorithm>
#include <cmath>
#include <map>

// Of OpenMP, whose header comes with one compiler and not with the other.
extern "C" {
void omp_set_max_active_levels(int);
int omp_get_max_active_levels();
}

namespace pliant::finite_elements {

using Eigen::MatrixXd;
using Eigen::VectorXd;

class ReducedMatrix::Factors {
 public:
  Eigen::CholmodDecomposition<Eigen::SparseMatrix<double>, Eigen::Lower> cholesky;
};

namespace {

// CHOLMOD copies small blocks by four OpenMP threads, whatever OMP_NUM_THREADS says, and waits for them longer than one thread
// takes. Its dense algebra is that of BLAS, with threads of its own.
class OneThreadOfOpenMp {
 public:
  OneThreadOfOpenMp() { omp_set_max_active_levels(0); }
  ~OneThreadOfOpenMp() { omp_set_max_active_levels(before_); }
  OneThreadOfOpenMp(const OneThreadOfOpenMp&) = delete;
  OneThreadOfOpenMp& operator=(const OneThreadOfOpenMp&) = delete;

 private:
  int before_ = omp_get_max_active_levels();
};

// Preparation can be cancelled after so many elements or columns.
constexpr size_t kElementsAtOnce = 256;

// Positions of nodes of one element, 3×a.
void Gather(std::span<const int> nodes, int first, const PointsRef& q, Eigen::Matrix3Xd* x) {
  x->resize(3, static_cast<Eigen::Index>(nodes.size()));
  for (size_t i = 0; i < nodes.size(); ++i) {
    x->col(static_cast<Eigen::Index>(i)) = q.col(first + nodes[i]);
  }
}

}  // namespace

ReducedMatrix::ReducedMatrix(const Discretisation& bodies, const Reduction& reduction,
                             std::vector<NodeCombination> links)
    : bodies_(bodies),
      reduction_(reduction),
      links_(std::move(links)),
      factors_(std::make_unique<Factors>()),
      scratch_(bodies.team().threads()) {
  factors_->cholesky.cholmod().print =
      0;  // what is not positive definite is reported by Factorise()
  for (int p = 0; p < bodies_.part_count(); ++p) {
    const ElasticPart& part = bodies_.part(p);
    for (int e = 0; e < part.element_count(); ++e) {
      blocks_.push_back(MakeBlock(part.nodes(e), bodies_.first(p)));
      blocks_.back().part = p;
      blocks_.back().element = e;
    }
  }
  colours_ =
      ElementColours(static_cast<int>(blocks_.size()), size(),
                     [this](int b) -> const std::vector<int>& { return blocks_[b].unknowns; });
  for (const NodeCombination& link : links_) {
    std::vector<int> nodes;
    for (const auto& [node, weight] : link) nodes.push_back(node);
    link_blocks_.push_back(MakeBlock(nodes, 0));
  }

  // The pattern of the lower triangle, with its whole diagonal.
  std::vector<std::vector<int>> columns(size());
  for (int y = 0; y < size(); ++y) columns[y].push_back(y);
  const auto add_pattern = [&](const Block& block) {
    for (const int j : block.unknowns) {
      for (const int i : block.unknowns) {
        if (i >= j) columns[j].push_back(i);
      }
    }
  };
  for (size_t e = 0; e < blocks_.size(); ++e) {
    if (e % kElementsAtOnce == 0) AtPreparation("matrix, element", e, blocks_.size());
    add_pattern(blocks_[e]);
  }
  for (const Block& block : link_blocks_) add_pattern(block);
  matrix_.resize(size(), size());
  Eigen::Index count = 0;
  for (auto& column : columns) {
    ThrowIfCancelled();
    std::sort(column.begin(), column.end());
    column.erase(std::unique(column.begin(), column.end()), column.end());
    count += static_cast<Eigen::Index>(column.size());
  }
  matrix_.reserve(count);
  for (int j = 0; j < size(); ++j) {
    matrix_.startVec(j);
    for (const int i : columns[j]) matrix_.insertBack(i, j) = 0.0;
  }
  matrix_.finalize();
  diagonal_.resize(size());
  for (int j = 0; j < size(); ++j) diagonal_[j] = matrix_.outerIndexPtr()[j];
  for (size_t e = 0; e < blocks_.size(); ++e) {
    if (e % kElementsAtOnce == 0) AtPreparation("places in the matrix, element", e, blocks_.size());
    FindPositions(&blocks_[e]);
  }
  for (Block& block : link_blocks_) FindPositions(&block);

  const OneThreadOfOpenMp one_thread;
  factors_->cholesky.analyzePattern(matrix_);
}

ReducedMatrix::~ReducedMatrix() = default;

ReducedMatrix::Block ReducedMatrix::MakeBlock(std::span<const int> nodes, int first) const {
  std::map<int, std::vector<std::pair<int, double>>> rows;
  Block block;
  bool selects = true;
  std::map<int, int> number;  // of the unknowns of the block
  const int size = 3 * static_cast<int>(nodes.size());
  for (int l = 0; l < size; ++l) {
    const int unknown = 3 * (first + nodes[l / 3]) + l % 3;
    for (Eigen::SparseMatrix<double, Eigen::RowMajor>::InnerIterator it(reduction_.T_by_rows(),
                                                                        unknown);
         it; ++it) {
      rows[l].emplace_back(static_cast<int>(it.col()), it.value());
      if (!number.emplace(static_cast<int>(it.col()), 0).second) selects = false;
    }
    if (rows.contains(l) && (rows[l].size() > 1 || rows[l][0].second != 1.0)) selects = false;
  }
  for (auto& [unknown, at] : number) {
    at = static_cast<int>(block.unknowns.size());
    block.unknowns.push_back(unknown);
  }
  if (selects) {
    block.local.resize(block.unknowns.size());
    for (const auto& [l, entries] : rows) block.local[number[entries[0].first]] = l;
  } else {
    block.T = MatrixXd::Zero(size, static_cast<Eigen::Index>(block.unknowns.size()));
    for (const auto& [l, entries] : rows) {
      for (const auto& [unknown, value] : entries) block.T(l, number[unknown]) += value;
    }
  }
  return block;
}

void ReducedMatrix::FindPositions(Block* block) const {
  const auto& unknowns = block->unknowns;  // ascending
  block->positions.reserve(unknowns.size() * (unknowns.size() + 1) / 2);
  for (size_t j = 0; j < unknowns.size(); ++j) {
    const int* inner = matrix_.innerIndexPtr();
    const int* at = inner + matrix_.outerIndexPtr()[unknowns[j]];
    const int* end = inner + matrix_.outerIndexPtr()[unknowns[j] + 1];
    for (size_t i = j; i < unknowns.size(); ++i) {
      at = std::lower_bound(at, end, unknowns[i]);
      block->positions.push_back(static_cast<int>(at - inner));
    }
  }
}

void ReducedMatrix::AddBlock(const Block& block, double factor, Scratch* scratch) {
  double* values = matrix_.valuePtr();
  const int* position = block.positions.data();
  const auto count = static_cast<int>(block.unknowns.size());
  const MatrixXd& dense = scratch->dense;
  if (block.T.size() == 0) {
    for (int j = 0; j < count; ++j) {
      for (int i = j; i < count; ++i) {
        values[*position++] += factor * dense(block.local[i], block.local[j]);
      }
    }
    return;
  }
  scratch->product.noalias() = dense.topLeftCorner(block.T.rows(), block.T.rows()) * block.T;
  scratch->reduced.noalias() = block.T.transpose() * scratch->product;
  for (int j = 0; j < count; ++j) {
    for (int i = j; i < count; ++i) values[*position++] += factor * scratch->reduced(i, j);
  }
}

template <typename Fill>
void ReducedMatrix::AddElements(double factor, const Fill& fill) {
  colours_.Run(&bodies_.team(), [&](int b, int thread) {
    const Block& block = blocks_[b];
    Scratch& scratch = scratch_[thread];
    const auto size =
        3 * static_cast<Eigen::Index>(bodies_.part(block.part).nodes(block.element).size());
    scratch.dense.setZero(size, size);
    if (fill(block.part, block.element, &scratch)) AddBlock(block, factor, &scratch);
  });
}

void ReducedMatrix::SetZero() { matrix_.coeffs().setZero(); }

VectorXd ReducedMatrix::ReducedMasses(const std::function<double(int p)>& factor) const {
  std::vector<Eigen::Triplet<double>> entries;
  for (int p = 0; p < bodies_.part_count(); ++p) {
    const double of_part = factor(p);
    if (of_part == 0.0) continue;
    const Eigen::SparseMatrix<double>& mass = bodies_.part(p).mass();
    for (int j = 0; j < mass.outerSize(); ++j) {
      for (Eigen::SparseMatrix<double>::InnerIterator it(mass, j); it; ++it) {
        for (int axis = 0; axis < 3; ++axis) {
          entries.emplace_back(3 * (bodies_.first(p) + static_cast<int>(it.row())) + axis,
                               3 * (bodies_.first(p) + j) + axis, of_part * it.value());
        }
      }
    }
  }
  Eigen::SparseMatrix<double> full(reduction_.full_size(), reduction_.full_size());
  full.setFromTriplets(entries.begin(), entries.end());
  const Eigen::SparseMatrix<double> reduced = reduction_.T().transpose() * full * reduction_.T();
  VectorXd values = VectorXd::Zero(matrix_.nonZeros());
  for (int j = 0; j < size(); ++j) {
    for (Eigen::SparseMatrix<double>::InnerIterator it(reduced, j); it; ++it) {
      if (it.row() < j) continue;
      const int* begin = matrix_.innerIndexPtr() + matrix_.outerIndexPtr()[j];
      const int* end = matrix_.innerIndexPtr() + matrix_.outerIndexPtr()[j + 1];
      const int* at = std::lower_bound(begin, end, static_cast<int>(it.row()));
      values[at - matrix_.innerIndexPtr()] += it.value();
    }
  }
  return values;
}

void ReducedMatrix::AddMass(double factor) {
  if (mass_values_.size() == 0) mass_values_ = ReducedMasses([](int) { return 1.0; });
  matrix_.coeffs() += factor * mass_values_.array();
}

void ReducedMatrix::AddTangent(double factor, const PointsRef& q) {
  AddElements(factor, [&](int p, int e, Scratch* scratch) {
    Gather(bodies_.part(p).nodes(e), bodies_.first(p), q, &scratch->x1);
    bodies_.part(p).AddTangent(e, scratch->x1, scratch->dense);
    return true;
  });
}

void ReducedMatrix::AddMassDamping(double h) {
  if (mass_damping_values_.size() == 0)
    mass_damping_values_ = ReducedMasses([this](int p) { return bodies_.damping(p).mass; });
  matrix_.coeffs() += 1.0 / h * mass_damping_values_.array();
}

void ReducedMatrix::AddStepTangent(double h, const PointsRef& q0, const PointsRef& q1) {
  if (bodies_.damped()) AddMassDamping(h);
  AddElements(1.0, [&](int p, int e, Scratch* scratch) {
    Gather(bodies_.part(p).nodes(e), bodies_.first(p), q0, &scratch->x0);
    Gather(bodies_.part(p).nodes(e), bodies_.first(p), q1, &scratch->x1);
    bodies_.part(p).AddStepTangent(e, scratch->x0, scratch->x1, bodies_.damping(p).stiffness / h,
                                   scratch->dense);
    return true;
  });
}

void ReducedMatrix::AddDamping(double h, const PointsRef& q0, const PointsRef& q1) {
  AddMassDamping(h);
  AddElements(1.0, [&](int p, int e, Scratch* scratch) {
    const double stiffness = bodies_.damping(p).stiffness;
    if (stiffness == 0.0) return false;
    Gather(bodies_.part(p).nodes(e), bodies_.first(p), q0, &scratch->x0);
    Gather(bodies_.part(p).nodes(e), bodies_.first(p), q1, &scratch->x1);
    bodies_.part(p).AddViscousTangent(e, scratch->x0, scratch->x1, stiffness / h, scratch->dense);
    return true;
  });
}

void ReducedMatrix::AddLink(int link, const Eigen::Matrix3d& stiffness) {
  const NodeCombination& nodes = links_[link];
  const auto count = static_cast<Eigen::Index>(nodes.size());
  MatrixXd& dense = scratch_[0].dense;
  dense.resize(3 * count, 3 * count);
  for (Eigen::Index j = 0; j < count; ++j) {
    for (Eigen::Index i = 0; i < count; ++i) {
      dense.block<3, 3>(3 * i, 3 * j) = nodes[i].second * nodes[j].second * stiffness;
    }
  }
  AddBlock(link_blocks_[link], 1.0, &scratch_[0]);
}

void ReducedMatrix::AddLink(int link, const NodeCombination& weights,
                            const Eigen::Matrix3d& stiffness) {
  NodeCombination& nodes = links_[link];
  for (auto& [node, weight] : nodes) {
    weight = 0.0;
    for (const auto& [other, part] : weights) {
      if (other == node) weight += part;
    }
  }
  AddLink(link, stiffness);
}

void ReducedMatrix::AddDiagonal(double value) {
  for (const int position : diagonal_) matrix_.valuePtr()[position] += value;
}

double ReducedMatrix::LargestDiagonal() const {
  double largest = 0.0;
  for (const int position : diagonal_) {
    largest = std::max(largest, std::abs(matrix_.valuePtr()[position]));
  }
  return largest;
}

double ReducedMatrix::Factorise(int most_shifts) {
  if (size() == 0) return 0.0;
  const double scale = LargestDiagonal();
  if (!std::isfinite(scale)) return -1.0;
  const OneThreadOfOpenMp one_thread;
  double shift = 0.0;
  for (int attempt = 0; attempt <= most_shifts; ++attempt) {
    ThrowIfCancelled();
    factors_->cholesky.factorize(matrix_);
    if (factors_->cholesky.info() == Eigen::Success) return shift;
    const double next = shift == 0.0 ? 1e-8 : 10.0 * shift;
    AddDiagonal((next - shift) * scale);
    shift = next;
  }
  return -1.0;
}

VectorXd ReducedMatrix::Solve(const VectorXd& right) const {
  if (size() == 0) return right;
  const OneThreadOfOpenMp one_thread;
  return factors_->cholesky.solve(right);
}

}  // namespace pliant::finite_elements
