#include "app/workbench/window/work_guard.h"

#include <QUndoStack>
#include <exception>
#include <utility>

#include "app/workbench/edits/open_experiment.h"
#include "app/workbench/window/page_docks.h"

namespace pliant {
namespace {

constexpr int kLookEvery = 500;    // ms, for the work of pages
constexpr int kWentWell = 30'000;  // ms after which restored work is not what ends the program
constexpr int kMostRestores = 2;   // without that

}  // namespace

WorkGuard::WorkGuard(OpenExperiment* open, PageDocks* pages, std::filesystem::path kept)
    : open_(open), pages_(pages), kept_(std::move(kept)) {
  if (kept_.empty()) return;
  connect(open_, &OpenExperiment::Opened, this, &WorkGuard::Look);
  connect(open_, &OpenExperiment::Saved, this, &WorkGuard::Look);
  connect(open_->history(), &QUndoStack::indexChanged, this, &WorkGuard::Look);
  connect(&timer_, &QTimer::timeout, this, &WorkGuard::Look);
  timer_.start(kLookEvery);
}

WorkGuard::~WorkGuard() = default;

void WorkGuard::Look() {
  if (restoring_ || forgotten_ || kept_.empty()) return;
  if (pages_->reloading()) return;  // the timer looks again
  if (keeper_ != nullptr) {
    const std::string failure = keeper_->CollectFailure();
    if (!failure.empty()) {
      emit Logged("unsaved work cannot be backed up for crash recovery: " +
                  QString::fromStdString(failure));
    }
  }
  KeptWork work{open_->work(), pages_->SaveWork(), restores_};
  if (work == last_) return;
  try {
    if (keeper_ == nullptr) keeper_ = std::make_unique<WorkKeeper>(WorkFolder::Claim(kept_));
  } catch (const std::exception& wrong) {
    kept_.clear();  // told once
    emit Logged("unsaved work cannot be backed up for crash recovery: " +
                QString::fromUtf8(wrong.what()));
    return;
  }
  last_ = work;
  keeper_->Keep(std::move(work));
}

void WorkGuard::RestoreLeftWork() {
  if (kept_.empty() || keeper_ != nullptr) return;
  try {
    for (const std::filesystem::path& folder : LeftWork(kept_)) {
      if (Restore(folder)) return;
    }
  } catch (const std::exception& wrong) {
    emit Logged("cannot search for unsaved work: " + QString::fromUtf8(wrong.what()));
  }
}

bool WorkGuard::Restore(const std::filesystem::path& path) {
  std::unique_ptr<WorkFolder> folder = WorkFolder::TakeOver(path);
  if (folder == nullptr) return false;  // another workbench was quicker
  KeptWork work;
  std::string why;
  try {
    work = ReadKeptWork(path);
    if (work.restores >= kMostRestores) {
      why = path.string() + ": the program ended " + std::to_string(work.restores) +
            " times after this was restored";
    }
  } catch (const std::exception& wrong) {
    why = wrong.what();
  }
  if (why.empty()) {
    try {
      restores_ = ++work.restores;
      folder->Write(work);  // before anything of it runs
    } catch (const std::exception& wrong) {
      emit Logged("unsaved work cannot be backed up for crash recovery: " +
                  QString::fromUtf8(wrong.what()));
    }
    keeper_ = std::make_unique<WorkKeeper>(std::move(folder));
    last_ = work;
    restoring_ = true;
    if (!work.open.states.empty()) open_->Restore(work.open);
    pages_->RestoreWork(work.pages);
    restoring_ = false;
    QTimer::singleShot(kWentWell, this, [this] { restores_ = 0; });
    emit Logged(QString("restored %1, which was open when the workbench ended unexpectedly; %2")
                    .arg(work.open.states.empty()
                             ? "the work of pages"
                             : QString::fromStdString(work.open.states[work.open.present]->name))
                    .arg(open_->edited() ? "it is not saved" : "nothing of it was unsaved"));
    return true;
  }
  const std::filesystem::path aside = SetAside(path);
  emit Logged(QString("unsaved work is not restored: %1; its experiments stay in %2")
                  .arg(QString::fromStdString(why), QString::fromStdString(aside.string())));
  return false;
}

void WorkGuard::Forget() {
  forgotten_ = true;
  if (keeper_ != nullptr) keeper_->Forget();
}

bool WorkGuard::UpToDate() const { return keeper_ == nullptr || keeper_->UpToDate(); }

}  // namespace pliant
