#include "experiments/bundles/manifest.h"

#include <link.h>
#include <sys/utsname.h>

#include <ctime>
#include <fstream>
#include <set>
#include <string>
#include <thread>
#include <utility>

#include "experiments/bundles/build_info.h"
#include "experiments/bundles/json_text.h"
#include "experiments/bundles/sha256.h"
#include "experiments/bundles/storage.h"
#include "experiments/files/experiment.h"
#include "experiments/files/readable_file.h"

namespace pliant {
namespace {

constexpr int kFormat = 1;  // of a bundle

std::string CpuModel() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    if (!line.starts_with("model name")) continue;
    const size_t begin = line.find_first_not_of(" \t", line.find(':') + 1);
    if (begin != std::string::npos) return line.substr(begin);
  }
  return "unknown";
}

std::string OperatingSystem() {
  utsname name;
  if (uname(&name) != 0) return "unknown";
  return std::string(name.sysname) + " " + name.release + " " + name.machine;
}

// The file that this code was loaded from: the program, or the Python module in the program that loaded it.
std::string FileOfThisCode() {
  const auto here = reinterpret_cast<ElfW(Addr)>(&FileOfThisCode);
  std::pair<ElfW(Addr), std::string> search = {here, ""};
  dl_iterate_phdr(
      [](dl_phdr_info* object, size_t, void* data) {
        auto& [address, file] = *static_cast<std::pair<ElfW(Addr), std::string>*>(data);
        for (int i = 0; i < object->dlpi_phnum; ++i) {
          const ElfW(Phdr)& segment = object->dlpi_phdr[i];
          const ElfW(Addr) begin = object->dlpi_addr + segment.p_vaddr;
          if (segment.p_type != PT_LOAD || address < begin || address >= begin + segment.p_memsz)
            continue;
          file = object->dlpi_name;  // empty for the program itself
          return 1;
        }
        return 0;
      },
      &search);
  return search.second.empty() ? "/proc/self/exe" : search.second;
}

}  // namespace

const std::string& ExecutableSha256() {
  static const std::string digest = Sha256OfFile(FileOfThisCode());
  return digest;
}

std::string UtcNow() {
  const std::time_t now = std::time(nullptr);
  std::tm utc;
  gmtime_r(&now, &utc);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
  return text;
}

void WriteManifest(const std::filesystem::path& folder, const RunFacts& facts) {
  const BuildInfo& build = ThisBuild();
  nlohmann::ordered_json json = {
      {"format", kFormat},
      {"experiment", facts.experiment},
      {"label", facts.label},
      {"place", facts.place},
      {"backend", facts.backend},
      {"reference", facts.reference},
      {"yardstick", facts.yardstick},
      {"outcome", facts.outcome},
      {"seed", facts.seed},
      {"started", facts.started},
      {"finished", facts.finished},
      {"wall_seconds", facts.wall_seconds},
      {"version", build.version},
      {"commit", build.commit},
      {"dirty", build.dirty},
      {"compiler", build.compiler},
      {"flags", build.flags},
      {"executable_sha256", ExecutableSha256()},
      {"cpu", CpuModel()},
      {"threads", std::thread::hardware_concurrency()},  // of the machine
      {"system", OperatingSystem()},
  };
  std::set<std::string> names;  // sorted
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    names.insert(entry.path().filename().string());
  }
  if (error) throw StorageError(folder, "cannot read the folder", error.value());
  for (const std::string& name : names) json["sha256"][name] = Sha256OfFile(folder / name);
  // Names and flags of a system need not be UTF-8: replaced where they are not.
  WriteFile(folder / kManifestFile,
            json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
}

Manifest ParseManifest(const std::string& text, const std::filesystem::path& path) {
  try {
    const Json json = ParseJson(text, path);
    if (json.at("format") != kFormat) {
      throw FileError(path.string() + ": is of format " + json.at("format").dump() +
                      "; this version reads format " + std::to_string(kFormat));
    }
    Manifest manifest;
    manifest.sha256 = json.at("sha256").get<std::map<std::string, std::string>>();
    for (const auto& [key, value] : json.items()) {
      if (key == "sha256") continue;
      manifest.facts[key] = value.is_string() ? value.get<std::string>() : value.dump();
    }
    return manifest;
  } catch (const nlohmann::json::exception& error) {
    throw FileError(path.string() + ": damaged: " + error.what());
  }
}

void VerifyFiles(const Manifest& manifest, const std::filesystem::path& folder,
                 const std::vector<std::string>& required) {
  for (const std::string& name : required) {
    if (!manifest.sha256.contains(name)) {
      throw FileError((folder / kManifestFile).string() + ": does not list " + name);
    }
  }
  for (const auto& [name, digest] : manifest.sha256) {
    std::error_code error;
    if (std::filesystem::path(name).filename() != name) {
      throw FileError((folder / kManifestFile).string() + ": damaged: '" + name +
                      "' is not the name of a file of the bundle");
    }
    if (!std::filesystem::exists(folder / name, error)) {
      throw FileError((folder / name).string() + ": missing from the bundle");
    }
    if (const auto problem = WhyUnreadable(folder / name, kAnySize)) throw FileError(problem->what);
    if (Sha256OfFile(folder / name) != digest) {
      throw FileError((folder / name).string() +
                      ": changed since the run: its SHA-256 differs from the one in " +
                      kManifestFile);
    }
  }
}

}  // namespace pliant
