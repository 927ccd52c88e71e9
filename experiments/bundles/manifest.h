// manifest.json: the circumstances of a run, and the SHA-256 of each file of its bundle.

#ifndef PLIANT_EXPERIMENTS_BUNDLES_MANIFEST_H_
#define PLIANT_EXPERIMENTS_BUNDLES_MANIFEST_H_

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace pliant {

inline constexpr char kManifestFile[] = "manifest.json";

// The contents of the manifest besides the program and the machine.
struct RunFacts {
  std::string experiment;  // its name
  std::string label;       // of the backend in the experiment
  size_t place = 0;        // of the backend in the experiment
  std::string backend;     // its formulation
  std::string reference;   // label of the backend that the others are measured against
  std::string yardstick;   // its address (kept_yardstick.h) where that is the reference; else empty
  std::uint64_t seed = 1;
  std::string started, finished;  // UTC, ISO 8601
  double wall_seconds = 0.0;      // between the two, observing and writing included
  std::string outcome;
};

// "2024-02-29T12:00:00Z".
std::string UtcNow();

// Writes the manifest of all files in `folder`. Throws StorageError.
void WriteManifest(const std::filesystem::path& folder, const RunFacts& facts);

// SHA-256 of this program, or of the Python module that holds this code; hashed once.
const std::string& ExecutableSha256();

struct Manifest {
  std::map<std::string, std::string> facts;   // "commit" → "…"; numbers as they are spelled
  std::map<std::string, std::string> sha256;  // by name of file
};

// Parses `text`, the contents of the manifest at `path`. Throws FileError.
Manifest ParseManifest(const std::string& text, const std::filesystem::path& path);

// Throws FileError naming the first file that is missing from `folder`, differs from what was
// written, or is not listed although it is one of `required`.
void VerifyFiles(const Manifest& manifest, const std::filesystem::path& folder,
                 const std::vector<std::string>& required);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_BUNDLES_MANIFEST_H_
