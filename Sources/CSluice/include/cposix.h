/* Calls of POSIX and Linux that Swift does not import, and signal handlers, which must be C. */
#ifndef CPOSIX_H
#define CPOSIX_H

#include <sys/stat.h>
#include <sys/types.h>
/* Not used here: Swift's Glibc lacks extended attributes. */
#include <sys/xattr.h>

/* Exchanges two names in one step (RENAME_EXCHANGE). Returns 0, or -1 with errno. */
int cposix_rename_exchange(int folder, const char *one, const char *other);

/* Renames unless the new name exists (RENAME_NOREPLACE). Returns 0, or -1 with errno. */
int cposix_rename_new(int folder, const char *from, const char *to);

/* Opens a folder without permission to read it, to make and rename names in it (O_PATH). Returns
   a descriptor, or -1 with errno. */
int cposix_open_unread_folder(const char *path);

/* Opens a symbolic link itself (O_PATH), to ask what it is and where it leads. Returns a descriptor,
   or -1 with errno. */
int cposix_open_link(const char *path);

/* Opens a new file without a name in a folder, for reading and writing. The file disappears when
   it is closed, however the process ends. Returns a descriptor, or -1 with errno. */
int cposix_open_unnamed(const char *folder);

/* Whether an open folder is the root of a mount. 0 if the system cannot tell. */
int cposix_is_mount_root(int folder);

/* Brings everything to the disk that was written to the file system of an open file (syncfs).
   Returns 0, or -1 with errno. */
int cposix_sync_file_system(int descriptor);

/* Removes a file, or a folder with all that is in it, three folders deep at most. Links are not
   followed. Names that begin with a point go last. Returns 0, or -1 with errno. */
int cposix_remove_tree(int folder, const char *name);

/* Asks the system to begin to write these bytes of a file to its disk, and does not wait. This is
   only a hint: errors are not reported. */
void cposix_begin_writeback(int descriptor, off_t from, off_t count);

/* Reserves room on the disk for these bytes, behind the end of a file too. The size of the file
   stays. Returns 0, or ENOSPC if there is no room. A file system that cannot reserve room, and any
   other failure, is 0 too: the write itself will tell. */
int cposix_reserve_room(int descriptor, off_t from, off_t count);

/* Returns the process's umask, which is read once. Reading sets it for a moment, so call this
   before there are threads that create files. */
mode_t cposix_umask(void);

/* Returns where `mark` first stands in `text`, or NULL (memmem). */
const void *cposix_find(const void *text, size_t count, const void *mark, size_t length);

/* Returns the number of processors that this process may use, or 1 if it is not known. */
int cposix_usable_processors(void);

/* Opens those of the descriptors 0, 1 and 2 that are closed, so that no later file gets one of
   these numbers. Then 0 cannot be read, and 1 and 2 cannot be written (EBADF), as if they were
   still closed. */
void cposix_reserve_standard_descriptors(void);

/* Ignores SIGPIPE and SIGXFSZ, so that calls fail with EPIPE and EFBIG instead. TERM, INT and HUP
   remove the registered files and then end the process by that signal. A signal that was ignored
   at the start (nohup) stays ignored. */
void cposix_install_signals(void);

/* Enter and leave a section that TERM, INT and HUP do not interrupt, on any thread: a signal is
   kept until the section is left. Only one thread is in a section at a time. Sections must not be
   nested. */
void cposix_guard_enter(void);
void cposix_guard_leave(void);

/* A file that a signal removes. */
typedef struct cposix_temporary cposix_temporary;

/* Registers the file `name` in an open folder, or returns NULL if there is no memory. It may be a
   folder, which is removed with all that is in it. A signal removes it only if the name still has
   this device and inode. The folder must stay open
   until the file is unregistered. Call this only inside a guarded section. */
cposix_temporary *cposix_register(int folder, const char *name, dev_t device, ino_t inode);

/* Removes a file from the register. Call this only inside a guarded section. */
void cposix_unregister(cposix_temporary *file);

/* A folder that a signal removes, with the files "journal", "journal.part", "list", "lock", and "0",
   "1", ... in it. */
typedef struct cposix_staging cposix_staging;

/* Registers the open folder `name` of another open folder, or returns NULL if there is no memory.
   Both must stay open until it is unregistered. Call this only inside a guarded section. */
cposix_staging *cposix_register_staging(int parent, const char *name, int folder);

/* Says that from now on the files "0" to `count` - 1 may exist. */
void cposix_staging_holds(cposix_staging *staging, unsigned count);

/* Removes a folder from the register. Call this only inside a guarded section. */
void cposix_unregister_staging(cposix_staging *staging);

#endif
