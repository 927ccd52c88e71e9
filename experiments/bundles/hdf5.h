// A wrapper of the C interface of HDF5: handles that close themselves, and errors with the reason
// given by the library.

#ifndef PLIANT_EXPERIMENTS_BUNDLES_HDF5_H_
#define PLIANT_EXPERIMENTS_BUNDLES_HDF5_H_

#include <hdf5.h>

#include <string>
#include <utility>
#include <vector>

namespace pliant::hdf5 {

// To be called first in every function that uses HDF5. Keeps it from printing its errors itself, in
// this thread, and from cleaning up at the end of the program: a file that could not be closed,
// since the disk is full, stays on its list though its memory is gone, and the clean-up would crash
// on it. All else is closed by its handle.
inline void Prepare() {
  static const herr_t no_clean_up = H5dont_atexit();
  (void)no_clean_up;
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

// Why the last call failed: the message of the system ("No space left on device") if it was the
// system, else the innermost error of the library.
inline std::string Reason() {
  std::string reason;
  H5Ewalk2(
      H5E_DEFAULT, H5E_WALK_UPWARD,
      [](unsigned, const H5E_error2_t* error, void* data) -> herr_t {
        auto* text = static_cast<std::string*>(data);
        const std::string words = error->desc == nullptr ? "" : error->desc;
        constexpr char kSystem[] = "error message = '";
        const size_t begin = words.find(kSystem);
        if (begin != std::string::npos) {
          const size_t start = begin + sizeof kSystem - 1;
          *text = words.substr(start, words.find('\'', start) - start);
          return 1;  // the best available information
        }
        if (text->empty()) *text = words;
        return 0;
      },
      &reason);
  return reason.empty() ? "unknown HDF5 error" : reason;
}

class Handle {
 public:
  using Closer = herr_t (*)(hid_t);
  Handle() = default;
  Handle(hid_t id, Closer closer) : id_(id), closer_(closer) {}
  Handle(Handle&& other) noexcept
      : id_(std::exchange(other.id_, -1)), closer_(std::exchange(other.closer_, nullptr)) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(closer_, other.closer_);
    return *this;
  }
  ~Handle() {
    Prepare();
    if (id_ >= 0) closer_(id_);
  }

  hid_t get() const { return id_; }
  explicit operator bool() const { return id_ >= 0; }
  // Closes the handle now; false when that fails.
  bool Close() { return id_ < 0 || closer_(std::exchange(id_, -1)) >= 0; }

 private:
  hid_t id_ = -1;
  Closer closer_ = nullptr;
};

// Gives an object a text as attribute; < 0 when that fails. `text` is not empty.
inline herr_t SetText(hid_t object, const char* name, const std::string& text) {
  const Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type.get(), text.size());
  H5Tset_cset(type.get(), H5T_CSET_UTF8);
  const Handle space(H5Screate(H5S_SCALAR), H5Sclose);
  const Handle attribute(
      H5Acreate2(object, name, type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  return attribute ? H5Awrite(attribute.get(), type.get(), text.data()) : -1;
}

// Labels of the entries of an array, a line each, as its attribute holds them.
inline std::string LinesOf(const std::vector<std::string>& labels) {
  std::string text;
  for (const std::string& label : labels) text += label + "\n";
  return text;
}

}  // namespace pliant::hdf5

#endif  // PLIANT_EXPERIMENTS_BUNDLES_HDF5_H_
