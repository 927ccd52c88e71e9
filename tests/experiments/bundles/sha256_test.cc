#include "experiments/bundles/sha256.h"

#include <gtest/gtest.h>

#include <string>

#include "experiments/bundles/storage.h"
#include "tests/experiments/bundles/scratch.h"

namespace pliant {
namespace {

// The examples of the standard, FIPS 180-4 (NIST, "Examples with Intermediate Values").
TEST(Sha256, AgreesWithTheExamplesOfTheStandard) {
  const ScratchFolder folder;
  WriteFile(folder / "a", "abc");
  EXPECT_EQ(Sha256OfFile(folder / "a"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  WriteFile(folder / "a", "");
  EXPECT_EQ(Sha256OfFile(folder / "a"),
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  WriteFile(folder / "a", std::string(1000000, 'a'));  // longer than one read
  EXPECT_EQ(Sha256OfFile(folder / "a"),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, AMissingFileIsAnError) { EXPECT_THROW(Sha256OfFile("/nowhere/at/all"), StorageError); }

}  // namespace
}  // namespace pliant
