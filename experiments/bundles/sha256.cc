#include "experiments/bundles/sha256.h"

#include <fcntl.h>
#include <openssl/evp.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <memory>
#include <new>
#include <vector>

#include "experiments/bundles/storage.h"

namespace pliant {
namespace {

using Context = std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)>;

Context NewContext() {
  Context context(EVP_MD_CTX_new(), &EVP_MD_CTX_free);
  if (!context || EVP_DigestInit_ex(context.get(), EVP_sha256(), nullptr) != 1) {
    throw std::bad_alloc();
  }
  return context;
}

std::string DigestOf(const Context& context) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest;
  unsigned int size = 0;
  EVP_DigestFinal_ex(context.get(), digest.data(), &size);
  std::string text;
  for (unsigned int i = 0; i < size; ++i) {
    constexpr char kDigits[] = "0123456789abcdef";
    text += kDigits[digest[i] >> 4];
    text += kDigits[digest[i] & 15];
  }
  return text;
}

}  // namespace

std::string Sha256OfText(std::string_view text) {
  const Context context = NewContext();
  EVP_DigestUpdate(context.get(), text.data(), text.size());
  return DigestOf(context);
}

std::string Sha256OfFile(const std::filesystem::path& path) {
  const Context context = NewContext();
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) throw StorageError(path, "cannot open the file", errno);
  std::vector<unsigned char> block(size_t{1} << 18);
  ssize_t count = 0;
  do {
    count = read(descriptor, block.data(), block.size());
    if (count > 0) EVP_DigestUpdate(context.get(), block.data(), static_cast<size_t>(count));
  } while (count > 0 || (count < 0 && errno == EINTR));
  const int error = errno;
  close(descriptor);
  if (count < 0) throw StorageError(path, "cannot read", error);
  return DigestOf(context);
}

}  // namespace pliant
