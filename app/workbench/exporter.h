// An export behind a dialog that tells how far it is and can stop it.

#ifndef PLIANT_APP_WORKBENCH_EXPORTER_H_
#define PLIANT_APP_WORKBENCH_EXPORTER_H_

#include <QObject>
#include <QTimer>
#include <filesystem>
#include <memory>

#include "app/workbench/export_job.h"

class QProgressDialog;
class QWidget;

namespace pliant {

class Exporter : public QObject {
  Q_OBJECT

 public:
  // `report`: the HTML file that the bundles are told in; empty: none. It is drawn by this thread.
  Exporter(ExportRequest request, std::filesystem::path report, QWidget* parent);
  ~Exporter() override;

 signals:
  void Finished(const QString& words);  // once, whatever came of it

 private:
  void Look();
  QString Words(const ExportResult& result) const;

  std::filesystem::path report_;
  ExportJob job_;
  std::unique_ptr<QProgressDialog> progress_;
  QTimer timer_;
};

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_EXPORTER_H_
