// Preloaded into a program (LD_PRELOAD): one system call or one allocation of its own fails, or the power goes at that moment.
//
//   FAIL_CALL   write, open, sync, rename, mkdir: calls that write below FAIL_UNDER (open also what is read there)
//               alloc: an allocation of at least FAIL_SIZE bytes
//               power: any of the calls above that changes something; the program ends there, and every file loses what was not
//               synced since it was opened, as after a power failure of a file system that keeps the order of names
//   FAIL_AT     which one, from 1; 0: none
//   FAIL_ERRNO  what it reports (28: no space, 5: input/output error, 24: too many open files)
//   FAIL_LOG    a file that says afterwards "<calls counted> <1 if one failed>"
//   FAIL_ON     1: all that follow fail too, as on a full disk
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

enum { kFiles = 4096 };

static char call_[16], under_[PATH_MAX], log_[PATH_MAX];
static size_t under_length_;
static long at_, error_, on_, size_;
static atomic_long count_;
static atomic_int fired_, ready_;

// Open files below under_, for power: a descriptor of its own (of the same one a lock would outlive the file's closing), which
// follows a renamed file, and the size that is on the disk.
static struct {
  int kept;
  off_t synced;
} files_[kFiles];
static pthread_mutex_t lock_ = PTHREAD_MUTEX_INITIALIZER;

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

__attribute__((constructor)) static void Start(void) {
  const char* call = getenv("FAIL_CALL");
  if (call == NULL) return;
  snprintf(call_, sizeof call_, "%s", call);
  snprintf(under_, sizeof under_, "%s", getenv("FAIL_UNDER") ? getenv("FAIL_UNDER") : "/");
  snprintf(log_, sizeof log_, "%s", getenv("FAIL_LOG") ? getenv("FAIL_LOG") : "");
  under_length_ = strlen(under_);
  at_ = getenv("FAIL_AT") ? atol(getenv("FAIL_AT")) : 0;
  error_ = getenv("FAIL_ERRNO") ? atol(getenv("FAIL_ERRNO")) : EIO;
  on_ = getenv("FAIL_ON") ? atol(getenv("FAIL_ON")) : 0;
  size_ = getenv("FAIL_SIZE") ? atol(getenv("FAIL_SIZE")) : 0;
  for (int i = 0; i < kFiles; ++i) files_[i].kept = -1;
  atomic_store(&ready_, 1);
}

static void Log(void) {
  if (log_[0] == 0) return;
  const int to = REAL(open)(log_, O_WRONLY | O_CREAT | O_TRUNC, 0666);
  char text[64];
  const int length = snprintf(text, sizeof text, "%ld %d\n", atomic_load(&count_), atomic_load(&fired_));
  if (to < 0) return;
  if (REAL(write)(to, text, length) != length) fired_ = 0;
  close(to);
}

__attribute__((destructor)) static void End(void) {
  if (atomic_load(&ready_)) Log();
}

static void LosePower(void) {
  pthread_mutex_lock(&lock_);
  for (int i = 0; i < kFiles; ++i) {
    if (files_[i].kept < 0) continue;
    struct stat now;
    if (fstat(files_[i].kept, &now) == 0 && now.st_size > files_[i].synced &&
        ftruncate(files_[i].kept, files_[i].synced) != 0) {
      _exit(98);
    }
  }
  Log();
  _exit(99);
}

// Is this the call that fails?
static int Fails(const char* call) {
  if (!atomic_load(&ready_)) return 0;
  const int power = strcmp(call_, "power") == 0;
  if (!power && strcmp(call_, call) != 0) return 0;
  const long number = atomic_fetch_add(&count_, 1) + 1;
  if (at_ == 0 || !(number == at_ || (on_ && number > at_))) return 0;
  atomic_store(&fired_, 1);
  if (power) LosePower();
  errno = (int)error_;
  return 1;
}

static int Below(const char* path) {
  if (!atomic_load(&ready_) || path == NULL) return 0;
  if (path[0] == '/') return strncmp(path, under_, under_length_) == 0;
  char here[PATH_MAX];
  if (getcwd(here, sizeof here) == NULL) return 0;
  return strncmp(here, under_, under_length_) == 0;
}

static int IsBelow(int file) {
  if (!atomic_load(&ready_)) return 0;
  char link[64], path[PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  const ssize_t length = readlink(link, path, sizeof path - 1);
  if (length <= 0) return 0;
  path[length] = 0;
  return Below(path);
}

static int Keep(int file, int flags) {
  if (file < 0 || strcmp(call_, "power") != 0 || (flags & O_ACCMODE) == O_RDONLY) return file;
  struct stat now;
  if (fstat(file, &now) != 0 || !S_ISREG(now.st_mode)) return file;
  pthread_mutex_lock(&lock_);
  for (int i = 0; i < kFiles; ++i) {
    if (files_[i].kept >= 0) continue;
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    files_[i].kept = REAL(open)(link, O_RDWR | O_CLOEXEC);
    files_[i].synced = (flags & O_TRUNC) ? 0 : now.st_size;
    break;
  }
  pthread_mutex_unlock(&lock_);
  return file;
}

static void Synced(int file) {
  struct stat of_file;
  if (strcmp(call_, "power") != 0 || fstat(file, &of_file) != 0) return;
  pthread_mutex_lock(&lock_);
  for (int i = 0; i < kFiles; ++i) {
    struct stat kept;
    if (files_[i].kept < 0 || fstat(files_[i].kept, &kept) != 0) continue;
    if (kept.st_ino == of_file.st_ino && kept.st_dev == of_file.st_dev) files_[i].synced = kept.st_size;
  }
  pthread_mutex_unlock(&lock_);
}

#define MODE(flags)                       \
  mode_t mode = 0;                        \
  if ((flags) & (O_CREAT | O_TMPFILE)) {  \
    va_list arguments;                    \
    va_start(arguments, flags);           \
    mode = va_arg(arguments, mode_t);     \
    va_end(arguments);                    \
  }

int open(const char* path, int flags, ...) {
  MODE(flags)
  const int below = Below(path);
  if (below && ((flags & O_CREAT) || strcmp(call_, "open") == 0) && Fails("open")) return -1;
  const int file = REAL(open)(path, flags, mode);
  return below ? Keep(file, flags) : file;
}
int open64(const char* path, int flags, ...) {
  MODE(flags)
  return open(path, flags, mode);
}
int openat(int folder, const char* path, int flags, ...) {
  MODE(flags)
  const int below = path[0] == '/' ? Below(path) : IsBelow(folder);
  if (below && ((flags & O_CREAT) || strcmp(call_, "open") == 0) && Fails("open")) return -1;
  const int file = REAL(openat)(folder, path, flags, mode);
  return below ? Keep(file, flags) : file;
}
int openat64(int folder, const char* path, int flags, ...) {
  MODE(flags)
  return openat(folder, path, flags, mode);
}
FILE* fopen(const char* path, const char* how) {
  const int below = Below(path);
  if (below && (how[0] != 'r' || strcmp(call_, "open") == 0) && Fails("open")) return NULL;
  FILE* file = REAL(fopen)(path, how);
  if (below && file != NULL && how[0] != 'r') Keep(fileno(file), O_WRONLY | O_TRUNC);
  return file;
}
FILE* fopen64(const char* path, const char* how) { return fopen(path, how); }

ssize_t write(int file, const void* data, size_t size) {
  if (IsBelow(file) && Fails("write")) return -1;
  return REAL(write)(file, data, size);
}
ssize_t writev(int file, const struct iovec* parts, int count) {
  if (IsBelow(file) && Fails("write")) return -1;
  return REAL(writev)(file, parts, count);
}
ssize_t pwrite(int file, const void* data, size_t size, off_t from) {
  if (IsBelow(file) && Fails("write")) return -1;
  return REAL(pwrite)(file, data, size, from);
}
ssize_t pwrite64(int file, const void* data, size_t size, off64_t from) {
  return pwrite(file, data, size, from);
}
int fsync(int file) {
  if (IsBelow(file) && Fails("sync")) return -1;
  const int result = REAL(fsync)(file);
  if (result == 0) Synced(file);
  return result;
}
int fdatasync(int file) { return fsync(file); }
int rename(const char* from, const char* to) {
  if (Below(to) && Fails("rename")) return -1;
  return REAL(rename)(from, to);
}
int renameat2(int from_folder, const char* from, int to_folder, const char* to, unsigned flags) {
  if (Below(to) && Fails("rename")) return -1;
  return REAL(renameat2)(from_folder, from, to_folder, to, flags);
}
int mkdir(const char* path, mode_t mode) {
  if (Below(path) && Fails("mkdir")) return -1;
  return REAL(mkdir)(path, mode);
}

// Allocations. Before Start() nothing counts; dlsym() allocates itself.
extern void* __libc_malloc(size_t);
extern void* __libc_calloc(size_t, size_t);
extern void* __libc_realloc(void*, size_t);
static int NoMemory(size_t size) {
  if (!atomic_load(&ready_) || call_[0] != 'a' || (long)size < size_) return 0;
  return Fails("alloc");
}
void* malloc(size_t size) {
  if (!NoMemory(size)) return __libc_malloc(size);
  errno = ENOMEM;
  return NULL;
}
void* calloc(size_t count, size_t size) {
  if (!NoMemory(count * size)) return __libc_calloc(count, size);
  errno = ENOMEM;
  return NULL;
}
void* realloc(void* old, size_t size) {
  if (!NoMemory(size)) return __libc_realloc(old, size);
  errno = ENOMEM;
  return NULL;
}
