// What stands in data/ and experiments/ is right, and no slip in it can crash the reader.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <random>
#include <sstream>

#include "experiments/files/experiment.h"
#include "experiments/files/listing.h"
#include "tests/experiments/files/samples.h"

namespace pliant {
namespace {

const std::filesystem::path kSources = PLIANT_SOURCE_DIR;

std::string ReadText(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

std::vector<std::string> Names(const std::vector<ListedFile>& files) {
  std::vector<std::string> names;
  for (const ListedFile& file : files) names.push_back(file.name);
  return names;
}

TEST(ShippedScenes, AreTheStandardOnesAndReadWithoutError) {
  const std::vector<ListedFile> scenes = ListScenes(kSources / "data/scenes");
  EXPECT_THAT(Names(scenes), testing::IsSupersetOf({"corner-pull", "drop", "hang", "pendulum",
                                                    "press", "puppet", "slope", "spin"}));
  for (const ListedFile& file : scenes) {
    SCOPED_TRACE(file.file.string());
    const Scene scene = ReadScene(file.file);
    EXPECT_EQ(scene.name, file.name);
    EXPECT_FALSE(file.summary.empty());
    EXPECT_THAT(scene.description, testing::StartsWith(file.summary));
  }
}

// All shipped files, as seen from the root.
std::vector<std::filesystem::path> AllFiles() {
  std::vector<std::filesystem::path> files;
  for (const char* folder :
       {"data/scenes", "data/shapes", "data/modes", "data/poses", "experiments"}) {
    for (const ListedFile& file : ListScenes(kSources / folder)) {
      files.push_back(std::filesystem::relative(file.file, kSources));
    }
  }
  return files;
}

// A copy of the shipped files in which one at a time can be broken.
class BrokenFiles {
 public:
  BrokenFiles() {
    for (const char* folder : {"data", "experiments"}) {
      std::filesystem::copy(kSources / folder, folder_.path() / folder,
                            std::filesystem::copy_options::recursive);
    }
  }

  // Reads every experiment that may use `file`, with `text` in its place. Anything but a
  // FileError of one line ends the test.
  void Read(const std::filesystem::path& file, const std::string& text) {
    folder_.Write(file.string(), text);
    try {
      if (file.parent_path() == "data/scenes") {
        ReadScene(folder_.path() / file);
      } else if (file.begin()->string() == "experiments") {
        ReadExperiment(folder_.path() / file);
      } else if (file.parent_path() == "data/shapes") {
        ReadScene(folder_.Write("data/scenes/user.toml",
                                "name = \"user\"\n[[body]]\nname = \"body\"\nshape = \"profile\"\n"
                                "file = \"../shapes/" +
                                    file.filename().string() + "\"\n"));
      } else {
        samples::ReadProbe(
            folder_.Write("experiments/user.toml",
                          "scene = \"../data/scenes/pendulum.toml\"\n[backends.probe]\n"
                          "modes = \"../data/modes/" +
                              file.filename().string() +
                              "\"\n[run]\nduration = 1\nstep = 1\nrecord_every = 1\n"));
      }
      ++right_;
    } catch (const FileError& error) {
      EXPECT_THAT(error.what(), testing::Not(testing::HasSubstr("\n")));
      EXPECT_THAT(error.what(), testing::HasSubstr(folder_.path().string()));
      ++wrong_;
    }
  }

  void Restore(const std::filesystem::path& file) {
    folder_.Write(file.string(), ReadText(kSources / file));
  }

  int right_ = 0;
  int wrong_ = 0;

 private:
  samples::Folder folder_;
};

TEST(BrokenFiles, CutShortAreToldAndNeverCrash) {
  BrokenFiles files;
  for (const auto& file : AllFiles()) {
    SCOPED_TRACE(file.string());
    const std::string text = ReadText(kSources / file);
    const size_t stride = std::max<size_t>(1, text.size() / 60);
    for (size_t length = 0; length < text.size(); length += stride) {
      files.Read(file, text.substr(0, length));
    }
    files.Restore(file);
  }
  EXPECT_GT(files.wrong_, files.right_);
}

TEST(BrokenFiles, WithBytesFlippedAreToldAndNeverCrash) {
  constexpr unsigned kSeed = 4711;
  SCOPED_TRACE("seed " + std::to_string(kSeed));
  std::mt19937 random(kSeed);
  BrokenFiles files;
  for (const auto& file : AllFiles()) {
    SCOPED_TRACE(file.string());
    const std::string text = ReadText(kSources / file);
    for (int round = 0; round < 60; ++round) {
      std::string broken = text;
      for (unsigned i = 0; i <= random() % 3; ++i) {
        broken[random() % broken.size()] ^= static_cast<char>(1 << (random() % 8));
      }
      files.Read(file, broken);
    }
    files.Restore(file);
  }
  EXPECT_GT(files.wrong_, 0);
}

}  // namespace
}  // namespace pliant
