/* What POSIX and Linux offer and Swift does not import, and what must be C: signal handlers. */
#ifndef CPOSIX_H
#define CPOSIX_H

#include <sys/stat.h>
#include <sys/types.h>

/* Swaps two names in one step (RENAME_EXCHANGE). Returns 0, or -1 with errno. */
int cposix_rename_exchange(int folder, const char *one, const char *other);

/* Renames unless the new name exists (RENAME_NOREPLACE). Returns 0, or -1 with errno. */
int cposix_rename_new(int folder, const char *from, const char *to);

/* Opens a folder that may not be read, to make and rename names in it (O_PATH). Returns a
   descriptor, or -1 with errno. */
int cposix_open_unread_folder(const char *path);

/* Opens a new file without a name in a folder, for reading and writing: it is gone when it is
   closed, however the process ends. Returns a descriptor, or -1 with errno set. */
int cposix_open_unnamed(const char *folder);

/* Asks the system to begin to write these bytes of a file to its disk, and does not wait for it.
   Only a hint: says nothing of how that went. */
void cposix_begin_writeback(int descriptor, off_t from, off_t count);

/* The process's umask, read once. Reading it means setting it: call this before there are threads
   that create files. */
mode_t cposix_umask(void);

/* How many processors this process may use; 1 where the system does not say. */
int cposix_usable_processors(void);

/* Fills the descriptors 0, 1 and 2 where they are closed, so that no file opened later gets one of
   these numbers: 0 cannot be read and 1 and 2 cannot be written (EBADF), as if still closed. */
void cposix_reserve_standard_descriptors(void);

/* Ignores SIGPIPE and SIGXFSZ, so that EPIPE and EFBIG are seen instead. TERM, INT and HUP remove
   what is registered and then end the process by that signal; one that was ignored at the start
   (nohup) stays ignored. */
void cposix_install_signals(void);

/* Makes a section that TERM, INT and HUP do not cut, on whatever thread they arrive: a signal is
   kept until the section is left. Sections of several threads follow one another; they do not
   nest. */
void cposix_guard_enter(void);
void cposix_guard_leave(void);

/* A file that a signal removes. */
typedef struct cposix_temporary cposix_temporary;

/* Registers the file `name` in an open folder, or returns NULL where there is no memory. It is
   removed only while that name still names this device and inode. The folder stays open until the
   file is unregistered. Only inside a guarded section. */
cposix_temporary *cposix_register(int folder, const char *name, dev_t device, ino_t inode);

/* Forgets a file. Only inside a guarded section. */
void cposix_unregister(cposix_temporary *file);

#endif
