// A film of the recording: the clock goes through it, one picture per turn of the event loop, so
// that the window keeps responding. Pictures are PNG files; ffmpeg, where it is installed, encodes
// them as MP4.

#ifndef PLIANT_APP_WORKBENCH_WINDOW_FILM_H_
#define PLIANT_APP_WORKBENCH_WINDOW_FILM_H_

#include <QImage>
#include <QObject>
#include <QTemporaryDir>
#include <filesystem>
#include <functional>
#include <memory>

class QProcess;

namespace pliant {

class Session;

struct FilmPlan {
  std::filesystem::path path;  // NAME.mp4, or a folder for frame-00001.png, …
  double pictures_per_second = 25.0;
  double speed = 1.0;  // simulated seconds in a second of the film
};

// Why the film cannot be made on this machine; empty when it can.
QString WhyNoFilm(const FilmPlan& plan);

class Film : public QObject {
  Q_OBJECT

 public:
  // `picture` is called for each picture after the clock has moved.
  Film(Session* session, std::function<QImage()> picture, const FilmPlan& plan,
       QObject* parent = nullptr);
  ~Film() override;

  void Start();
  void Stop();  // what is written stays

  int pictures() const { return count_; }

 signals:
  void Progressed(int done);
  void Finished(const QString& words);  // once, whether it succeeded or not

 private:
  void Next();
  void Encode();
  void Finish(const QString& words);
  QString FolderOfPictures() const;

  Session* session_;
  std::function<QImage()> picture_;
  FilmPlan plan_;
  int count_ = 0, done_ = 0;
  double time_before_ = 0.0;  // s, to which the clock returns
  bool finished_ = false;
  std::unique_ptr<QTemporaryDir> scratch_;  // of the pictures of an MP4
  QProcess* encoder_ = nullptr;
};

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_WINDOW_FILM_H_
