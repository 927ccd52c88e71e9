// Draws pictures of the panes on its own thread, for machines where the processor does the work of
// a graphics card: the window keeps responding.

#ifndef PLIANT_APP_WORKBENCH_VIEW_PICTURE_THREAD_H_
#define PLIANT_APP_WORKBENCH_VIEW_PICTURE_THREAD_H_

#include <QImage>
#include <QOffscreenSurface>
#include <condition_variable>
#include <functional>
#include <future>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>

#include "app/workbench/view/panes_picture.h"

namespace pliant {

struct DrawnPicture {
  int number = 0;        // of the request, see Draw()
  QImage image;          // white when pictures cannot be drawn
  bool sharper = false;  // the same picture as before with all samples in one more pane
  QString why;           // why pictures cannot be drawn; else empty
};

// All samples of a pixel take four times as long as one: a picture first has one sample per pixel.
// When no other picture has been requested for a while, it gets the other samples, pane by pane.
class PictureThread {
 public:
  // Calls `deliver` on its own thread. To be constructed on the thread of the window.
  explicit PictureThread(std::function<void(DrawnPicture)> deliver);
  ~PictureThread();  // waits for the pane it is drawing
  PictureThread(const PictureThread&) = delete;
  PictureThread& operator=(const PictureThread&) = delete;

  // One thread makes all calls below. Requests a picture, which replaces a requested one that is
  // not begun; returns its number, 1, 2, … Never waits.
  int Draw(PanesPicture picture);
  int requests() const { return requests_; }  // the number of the last one
  // The same, and waits for it: with one sample per pixel or with all.
  QImage DrawNow(PanesPicture picture, bool sharp);

 private:
  enum class Until { kDelivered, kPlain, kSharp };  // what the caller waits for
  struct Request {
    int number = 0;
    PanesPicture picture;
    Until until = Until::kDelivered;
    std::promise<QImage> now;
  };
  class RenderTarget;

  int Put(Request request);
  void Work(const std::stop_token& stop);
  void Process(Request request, RenderTarget* target, const std::stop_token& stop);
  std::optional<Request> Next(const std::stop_token& stop);
  bool RestsFor(int milliseconds, const std::stop_token& stop);

  const std::function<void(DrawnPicture)> deliver_;
  QOffscreenSurface surface_;
  int requests_ = 0;  // only for the requesting thread
  std::mutex mutex_;
  std::optional<Request> request_;  // with mutex_
  std::condition_variable_any requested_;
  std::jthread thread_;  // last: it uses the others
};

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_VIEW_PICTURE_THREAD_H_
