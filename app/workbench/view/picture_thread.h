// Draws pictures of the panes on a thread of its own, where the processor does the work of a
// graphics card: meanwhile the window answers.

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
  int number = 0;        // of the wish, see Draw()
  QImage image;          // where pictures cannot be drawn, white
  bool sharper = false;  // it was told before; a pane has its samples now
  QString why;           // pictures cannot be drawn; else empty
};

// Where all samples of a pixel take four times as long as one, a picture has one each at first.
// When no other has been wished for a while it gets the others, pane by pane.
class PictureThread {
 public:
  // Calls `tell` on its thread. To be made by the thread of the window.
  explicit PictureThread(std::function<void(DrawnPicture)> tell);
  ~PictureThread();  // waits for the pane it is drawing
  PictureThread(const PictureThread&) = delete;
  PictureThread& operator=(const PictureThread&) = delete;

  // All that follows: by one thread.
  // Wishes a picture, in place of one that has not been begun; returns its number, 1, 2, … Never
  // waits.
  int Draw(PanesPicture picture);
  int wishes() const { return wishes_; }  // the number of the last one
  // The same, and waits for it: with one sample a pixel or with all.
  QImage DrawNow(PanesPicture picture, bool sharp);

 private:
  enum class Until { kTold, kPlain, kSharp };  // what somebody waits for
  struct Wish {
    int number = 0;
    PanesPicture picture;
    Until until = Until::kTold;
    std::promise<QImage> now;
  };
  class Easel;

  int Put(Wish wish);
  void Work(const std::stop_token& stop);
  void Fulfil(Wish wish, Easel* easel, const std::stop_token& stop);
  std::optional<Wish> Next(const std::stop_token& stop);
  bool RestsFor(int milliseconds, const std::stop_token& stop);

  const std::function<void(DrawnPicture)> tell_;
  QOffscreenSurface surface_;
  int wishes_ = 0;  // of the thread that wishes
  std::mutex mutex_;
  std::optional<Wish> wish_;  // with mutex_
  std::condition_variable_any wished_;
  std::jthread thread_;  // last: it uses the others
};

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_VIEW_PICTURE_THREAD_H_
