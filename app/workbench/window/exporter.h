// An export with a progress dialog that can stop it.

#ifndef PLIANT_APP_WORKBENCH_WINDOW_EXPORTER_H_
#define PLIANT_APP_WORKBENCH_WINDOW_EXPORTER_H_

#include <QObject>
#include <QTimer>
#include <memory>

#include "app/workbench/jobs/export_job.h"

class QProgressDialog;
class QWidget;

namespace pliant {

class Exporter : public QObject {
  Q_OBJECT

 public:
  Exporter(ExportRequest request, QWidget* parent);
  ~Exporter() override;

 signals:
  void Finished(const QString& words);  // once, whether it succeeded or not

 private:
  void Look();

  ExportJob job_;
  std::unique_ptr<QProgressDialog> progress_;
  QTimer timer_;
};

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_WINDOW_EXPORTER_H_
