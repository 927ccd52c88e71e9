// SHA-256 of files and texts, which shows whether a bundle is unchanged.

#ifndef PLIANT_EXPERIMENTS_BUNDLES_SHA256_H_
#define PLIANT_EXPERIMENTS_BUNDLES_SHA256_H_

#include <filesystem>
#include <string>
#include <string_view>

namespace pliant {

// 64 hexadecimal digits. Throws StorageError when the file cannot be read.
std::string Sha256OfFile(const std::filesystem::path& path);
std::string Sha256OfText(std::string_view text);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_BUNDLES_SHA256_H_
