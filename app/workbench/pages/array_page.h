// The matrices and vectors of a formulation at the time of the clock: what `pliant inspect` prints, as tables, with a
// list that selects one of them. They stay as they are while the clock moves on; the line above
// states their time.

#ifndef PLIANT_APP_WORKBENCH_PAGES_ARRAY_PAGE_H_
#define PLIANT_APP_WORKBENCH_PAGES_ARRAY_PAGE_H_

#include <filesystem>
#include <memory>

#include "app/workbench/jobs/inspect_job.h"
#include "app/workbench/pages/page.h"

class QComboBox;
class QLabel;
class QListWidget;
class QPushButton;

namespace pliant {

class ArrayModel;

class ArrayPage : public Page {
  Q_OBJECT

 public:
  explicit ArrayPage(const PageContext& context, QWidget* parent = nullptr);

  QString WhyNot() const override;
  void Reload() override;
  void Refresh() override;

  // Computes those of the chosen pane at the present time, in the background.
  void Begin();
  bool works() const { return job_.works(); }
  // Null before the first; what the list and the table show.
  const std::shared_ptr<const Inspection>& seen() const { return seen_; }
  // Text where the name ends with .txt, else HDF5. Throws StorageError.
  void Save(const std::filesystem::path& path) const;

 private:
  void OfferPanes();
  void ShowSeen();
  void ShowState(const QString& state);
  void AskAndSave();

  Session* session_;
  CurrentJob<InspectNews> job_;
  std::shared_ptr<const Inspection> seen_;
  QComboBox* pane_;
  QPushButton *begin_, *save_;
  QLabel* state_;
  QListWidget* list_;
  QLabel* meaning_;
  ArrayModel* model_;
};

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_PAGES_ARRAY_PAGE_H_
