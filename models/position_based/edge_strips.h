// The edges of constant length, in the order of a sweep, and the memory layout of their
// points.
//
// Each point has a "slot" in memory, so that edges which share no point lie next to each other: a
// strip is a number of such edges, from slots a, a + 1, … to slots b, b + 1, …, which are corrected
// as vectors. Each row of a grid has its even points first, then its odd ones; its even edges are
// one strip, its odd edges another, all edges from one row to the next a third. Edges of other
// bodies are strips of one. 8 bytes for each point, 8 for each edge of a grid, 24 for others.
//
// Edges have numbers here: their order in a sweep.

#ifndef PLIANT_MODELS_POSITION_BASED_EDGE_STRIPS_H_
#define PLIANT_MODELS_POSITION_BASED_EDGE_STRIPS_H_

#include <Eigen/Core>
#include <array>
#include <vector>

#include "models/geometry/grid_hierarchy.h"

namespace pliant::position_based {

using Edge = std::array<int, 2>;  // two points

// A grid whose points are numbered row by row from `offset`.
struct GridPatch {
  int offset = 0;
  GridSize grid;
};

struct Strip {
  int a, b;   // slots of the ends of the first edge
  int count;  // edges
  int first;  // number of the first edge
};

class EdgeStrips {
 public:
  // Edges along the lines of `patches` become long strips; every edge has a length [m] > 0. With
  // `coloured` the strips of a grid go through its edges in four colours: even and odd edges of the
  // rows, even and odd ones from row to row.
  EdgeStrips(const std::vector<Edge>& edges, const Eigen::VectorXd& lengths, int points,
             const std::vector<GridPatch>& patches, bool coloured);

  int points() const { return static_cast<int>(slots_.size()); }
  int edges() const { return static_cast<int>(lengths_.size()); }
  int slot(int point) const { return slots_[point]; }
  int point_at(int slot) const { return points_[slot]; }
  const std::vector<Strip>& strips() const { return strips_; }     // of edges that are whole
  const std::vector<double>& lengths() const { return lengths_; }  // ℓ by edge [m]

  Edge Ends(int edge) const;  // points; O(log strips)
  // Calls visit(edge, a, b) with the points of every edge that is whole.
  template <typename Visit>
  void ForEachEdge(const Visit& visit) const {
    for (const Strip& strip : strips_) {
      for (int k = 0; k < strip.count; ++k) {
        visit(strip.first + k, points_[strip.a + k], points_[strip.b + k]);
      }
    }
  }

  // Removes an edge: the points it connected are free. O(strips). Mend() restores all edges.
  void Break(int edge);
  void Mend();

 private:
  void AddPatch(const GridPatch& patch, bool coloured, class EdgeIndex* edges);
  void AddStrip(int a, int b, int count, class EdgeIndex* edges);

  std::vector<int> slots_;           // of each point
  std::vector<int> points_;          // of each slot
  std::vector<Strip> strips_;        // of edges that are whole
  std::vector<Strip> whole_strips_;  // of all; empty until one breaks
  std::vector<double> lengths_;      // by edge
};

}  // namespace pliant::position_based

#endif  // PLIANT_MODELS_POSITION_BASED_EDGE_STRIPS_H_
