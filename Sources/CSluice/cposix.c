/* Calls of POSIX and Linux that Swift does not import, and signal handlers, which must be C. */
#define _GNU_SOURCE
#include "cposix.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int cposix_rename_exchange(int folder, const char *one, const char *other) {
  return renameat2(folder, one, folder, other, RENAME_EXCHANGE);
}

int cposix_rename_new(int folder, const char *from, const char *to) {
  return renameat2(folder, from, folder, to, RENAME_NOREPLACE);
}

int cposix_open_unread_folder(const char *path) {
  return open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

int cposix_open_link(const char *path) {
  return open(path, O_PATH | O_NOFOLLOW | O_CLOEXEC);
}

static mode_t file_mask;

int cposix_open_unnamed(const char *folder) {
  int descriptor = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (descriptor >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != ENOENT)) return descriptor;
  /* The file system or the kernel does not support such files. */
  char path[4096];
  if ((size_t)snprintf(path, sizeof path, "%s/sluice-XXXXXX", folder) >= sizeof path) {
    errno = ENAMETOOLONG;
    return -1;
  }
  descriptor = mkostemp(path, O_CLOEXEC);
  if (descriptor >= 0) unlink(path);
  return descriptor;
}

int cposix_is_mount_root(int folder) {
  struct statx status;
  if (statx(folder, "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC, STATX_TYPE, &status) != 0) return 0;
  return (status.stx_attributes & status.stx_attributes_mask & STATX_ATTR_MOUNT_ROOT) != 0;
}

int cposix_sync_file_system(int descriptor) { return syncfs(descriptor); }

/* Removes a name, and all below it. Runs in a signal handler too: only async-signal-safe calls. */
static int remove_tree(int parent, const char *name, int depth) {
  if (unlinkat(parent, name, 0) == 0) return 0;
  if (depth == 0 || (errno != EISDIR && errno != EPERM)) return -1;
  int folder = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (folder < 0) return -1;
  /* A file system may pass over names when others are removed meanwhile. So it is asked again. Names
     that begin with a point go last: a site's marker says up to the end whose folder it is. */
  int only_points = 0;
  for (int turn = 0; turn < 8; turn++) {
    int others = 0;
    _Alignas(struct dirent64) char entries[2048];
    ssize_t count;
    lseek(folder, 0, SEEK_SET);
    while ((count = getdents64(folder, entries, sizeof entries)) > 0)
      for (ssize_t at = 0; at < count;) {
        const struct dirent64 *entry = (const struct dirent64 *)(entries + at);
        at += entry->d_reclen;
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
        if (entry->d_name[0] != '.') others = 1;
        else if (!only_points) continue;
        remove_tree(folder, entry->d_name, depth - 1);
      }
    only_points = !others;
    if (unlinkat(parent, name, AT_REMOVEDIR) == 0) {
      close(folder);
      return 0;
    }
    if (errno != ENOTEMPTY && errno != EEXIST) break;
  }
  int code = errno;
  close(folder);
  errno = code;
  return -1;
}

int cposix_remove_tree(int folder, const char *name) { return remove_tree(folder, name, 3); }

void cposix_begin_writeback(int descriptor, off_t from, off_t count) {
  sync_file_range(descriptor, from, count, SYNC_FILE_RANGE_WRITE);
}

int cposix_reserve_room(int descriptor, off_t from, off_t count) {
  return fallocate(descriptor, FALLOC_FL_KEEP_SIZE, from, count) != 0 && errno == ENOSPC ? ENOSPC
                                                                                          : 0;
}

static void read_umask(void) {
  /* There is no call that only reads it. Between the two calls, new files are more private than
     wanted, never less. */
  file_mask = umask(077);
  umask(file_mask);
}

mode_t cposix_umask(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, read_umask);
  return file_mask;
}

const void *cposix_find(const void *text, size_t count, const void *mark, size_t length) {
  return memmem(text, count, mark, length);
}

int cposix_usable_processors(void) {
  cpu_set_t usable;
  /* EINVAL: there are more than the 1,024 that the set has room for. */
  if (sched_getaffinity(0, sizeof usable, &usable) != 0) return errno == EINVAL ? CPU_SETSIZE : 1;
  return CPU_COUNT(&usable);
}

void cposix_reserve_standard_descriptors(void) {
  for (int number = 0; number <= 2; number++) {
    if (fcntl(number, F_GETFD) != -1 || errno != EBADF) continue;
    /* The system uses the lowest free number, and all lower ones are in use: it is `number`. */
    if (open("/dev/null", number == 0 ? O_WRONLY : O_RDONLY) == -1) return;
  }
}

/* Exclusion between the handler and the guarded sections
 *
 * Blocking the signals in one thread would not help: the kernel sends a signal to any other thread.
 * So one atomic word says who owns the list of files:
 *
 *     FREE ──enter──▶ GUARDED ──leave──▶ FREE ──signal──▶ DYING ──▶ files removed, process ends
 *                        │
 *                      signal: kept in `kept_signal`; `leave` raises it
 *
 * DYING is final: a thread that enters then waits for the end of the process. The list of files
 * changes only in GUARDED, and the handler reads it only in DYING, so it needs no atomics of its
 * own. After the handler has removed a file, no guarded section removes or renames its name:
 * another run may have made a new file of that name by then. */
enum { FREE, GUARDED, DYING };

static atomic_int state = FREE;
static atomic_int kept_signal = 0;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static cposix_temporary *files = NULL;
static cposix_staging *stagings = NULL;

struct cposix_staging {
  cposix_staging *next;
  int parent;
  int folder;
  atomic_uint count;
  char name[];
};

struct cposix_temporary {
  cposix_temporary *next;
  int folder;
  dev_t device;
  ino_t inode;
  char name[];
};

static const int deadly[] = {SIGTERM, SIGINT, SIGHUP};
enum { deadly_count = sizeof deadly / sizeof deadly[0] };

/* Runs in a signal handler. */
static void remove_staging(cposix_staging *staging) {
  /* The journal first: without it nothing is published. */
  static const char *const names[] = {"journal", "journal.part", "list", "lock"};
  for (size_t index = 0; index < sizeof names / sizeof names[0]; index++)
    unlinkat(staging->folder, names[index], 0);
  unsigned count = atomic_load(&staging->count);
  for (unsigned file = 0; file < count; file++) {
    char digits[12];
    char *start = digits + sizeof digits - 1;
    unsigned rest = file;
    *start = 0;
    do {
      *--start = (char)('0' + rest % 10);
      rest /= 10;
    } while (rest != 0);
    unlinkat(staging->folder, start, 0);
  }
  unlinkat(staging->parent, staging->name, AT_REMOVEDIR);
}

/* Runs as a signal handler: only async-signal-safe calls. */
static void remove_files_and_die(int number) {
  for (cposix_staging *staging = stagings; staging != NULL; staging = staging->next)
    remove_staging(staging);
  for (cposix_temporary *file = files; file != NULL; file = file->next) {
    struct stat now;
    if (fstatat(file->folder, file->name, &now, AT_SYMLINK_NOFOLLOW) == 0 &&
        now.st_dev == file->device && now.st_ino == file->inode)
      remove_tree(file->folder, file->name, 3);
  }
  struct sigaction plain;
  memset(&plain, 0, sizeof plain);
  plain.sa_handler = SIG_DFL;
  sigemptyset(&plain.sa_mask);
  sigaction(number, &plain, NULL);
  sigset_t only;
  sigemptyset(&only);
  sigaddset(&only, number);
  raise(number);
  pthread_sigmask(SIG_UNBLOCK, &only, NULL);
  /* Reached only if the kernel drops the signal: in the first process of a container. */
  _exit(128 + number);
}

static void on_signal(int number) {
  int saved = errno;
  for (;;) {
    int expected = FREE;
    if (atomic_compare_exchange_strong(&state, &expected, DYING)) remove_files_and_die(number);
    if (expected == DYING) break; /* another thread is ending the process */
    atomic_store(&kept_signal, number);
    /* If still guarded, the thread's `leave` comes after the store above and sees the signal.
       Otherwise `leave` may have looked too early, so this handler tries again. */
    if (atomic_load(&state) == GUARDED) break;
  }
  errno = saved;
}

void cposix_guard_enter(void) {
  pthread_mutex_lock(&guard);
  int expected = FREE;
  if (!atomic_compare_exchange_strong(&state, &expected, GUARDED))
    for (;;) pause();
}

void cposix_guard_leave(void) {
  atomic_store(&state, FREE);
  int number = atomic_exchange(&kept_signal, 0);
  pthread_mutex_unlock(&guard);
  if (number != 0) kill(getpid(), number);
}

cposix_temporary *cposix_register(int folder, const char *name, dev_t device, ino_t inode) {
  size_t length = strlen(name) + 1;
  cposix_temporary *file = malloc(sizeof *file + length);
  if (file == NULL) return NULL;
  file->folder = folder;
  file->device = device;
  file->inode = inode;
  memcpy(file->name, name, length);
  file->next = files;
  files = file;
  return file;
}

void cposix_unregister(cposix_temporary *file) {
  cposix_temporary **link = &files;
  while (*link != NULL && *link != file) link = &(*link)->next;
  if (*link != NULL) *link = file->next;
  free(file);
}

cposix_staging *cposix_register_staging(int parent, const char *name, int folder) {
  size_t length = strlen(name) + 1;
  cposix_staging *staging = malloc(sizeof *staging + length);
  if (staging == NULL) return NULL;
  staging->parent = parent;
  staging->folder = folder;
  atomic_init(&staging->count, 0);
  memcpy(staging->name, name, length);
  staging->next = stagings;
  stagings = staging;
  return staging;
}

void cposix_staging_holds(cposix_staging *staging, unsigned count) {
  atomic_store(&staging->count, count);
}

void cposix_unregister_staging(cposix_staging *staging) {
  cposix_staging **link = &stagings;
  while (*link != NULL && *link != staging) link = &(*link)->next;
  if (*link != NULL) *link = staging->next;
  free(staging);
}

void cposix_install_signals(void) {
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN);
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  for (int index = 0; index < deadly_count; index++) sigaddset(&action.sa_mask, deadly[index]);
  for (int index = 0; index < deadly_count; index++) {
    struct sigaction inherited;
    if (sigaction(deadly[index], NULL, &inherited) == 0 && inherited.sa_handler == SIG_IGN) continue;
    sigaction(deadly[index], &action, NULL);
  }
}
