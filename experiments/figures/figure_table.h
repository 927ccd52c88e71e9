// The figures and tables of the source papers, each with the experiment that reproduces it, the claims that
// carry it, and the picture that is made of it.
//
// The tables are files of their own (data/figures, one for each source), so that a row may say of a figure that
// it cannot be reproduced, and why.

#ifndef PLIANT_EXPERIMENTS_FIGURES_FIGURE_TABLE_H_
#define PLIANT_EXPERIMENTS_FIGURES_FIGURE_TABLE_H_

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "experiments/files/document.h"
#include "experiments/files/experiment.h"

namespace pliant {

enum class FigureVerdict {
  kReproduced,
  kInSpirit,      // the behaviour, but not the setup or the size of the source
  kContradicted,  // the source errs
  kNotPossible,   // it shows no behaviour, or nothing that a run can show
};

// What is drawn. Exactly one of frames, curves, sweep and search says it.
struct FigurePicture {
  std::vector<double> frames;       // s, times of key frames
  std::vector<std::string> of;      // labels of the backends shown; all when empty
  std::optional<int> across;        // frames beside each other; a row for each backend when absent
  bool ghosts = false;              // frames over each other
  std::vector<std::string> points;  // instead of the file: points of its sweep, a frame of each
  std::vector<std::string> curves;  // columns of series.csv, a panel each
  std::optional<std::string> against;  // column on the x axis; the time when absent
  std::optional<double> from, until;   // s, of the curves
  std::vector<std::string> sweep;      // figures of the curves of the sweep
  int omitted = 0;                     // last points of a sweep that are not drawn
  std::vector<std::string>
      search;  // "cost", "best-cost": curves of the search; "motion": its best motion
  std::vector<std::string> set;  // overrides of the experiment, as for --set
};

struct SourceFigure {
  std::string name;    // "faloutsos-4.7", of the command and of its files
  std::string number;  // "Fig. 4.7"
  std::string shows;
  FigureVerdict verdict = FigureVerdict::kReproduced;
  std::string why;                        // empty only where it is reproduced
  std::optional<std::string> experiment;  // by its name; absent only where it is not possible
  std::vector<std::string> claims;        // texts of claims of the experiment that carry it
  std::optional<FigurePicture> picture;
  FilePlace place;
};

struct FigureSource {
  std::string title;  // "Faloutsos 1995"
  std::vector<SourceFigure> figures;
};

std::string_view ToString(FigureVerdict verdict);  // "reproduced in spirit"

// Reads one table. Throws FileError.
FigureSource ReadFigureSource(const std::filesystem::path& file);
// All tables of a folder, in the order of their names. Throws FileError, also for a name that occurs twice.
std::vector<FigureSource> ReadFigureSources(const std::filesystem::path& folder);

// The figure of that name. Throws BadInput.
const SourceFigure& FindFigure(const std::vector<FigureSource>& sources, const std::string& name);

// Throws FileError, at the row, where the experiment lacks a claim, backend, column, record or curve that it names.
void RequireFigure(const SourceFigure& figure, const Experiment& experiment);

// The page docs/figures.md: a table for each source. `experiments` is the folder of those that ship.
std::string FiguresPage(const std::vector<FigureSource>& sources,
                        const std::filesystem::path& experiments);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_FIGURES_FIGURE_TABLE_H_
