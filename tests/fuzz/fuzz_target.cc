// The fuzzer of one reader, which the variable PLIANT_READER names: `.ci/fuzz`.

#include <cstdio>
#include <cstdlib>
#include <string>

#include "tests/experiments/bundles/scratch.h"
#include "tests/fuzz/readers.h"

namespace {

const pliant::FuzzedReader* reader = nullptr;

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  const char* name = std::getenv("PLIANT_READER");
  for (const pliant::FuzzedReader& one : pliant::FuzzedReaders()) {
    if (name != nullptr && one.name == name) reader = &one;
  }
  if (reader != nullptr) return 0;
  std::fprintf(stderr, "PLIANT_READER names no reader; one of:");
  for (const pliant::FuzzedReader& one : pliant::FuzzedReaders()) {
    std::fprintf(stderr, " %s", std::string(one.name).c_str());
  }
  std::fprintf(stderr, "\n");
  std::exit(2);
}

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, size_t size) {
  static const pliant::ScratchFolder folder;
  pliant::ReadBytes(*reader, {reinterpret_cast<const char*>(data), size}, folder.path());
  return 0;
}
