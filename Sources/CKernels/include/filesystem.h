#ifndef QUOIN_FILESYSTEM_H
#define QUOIN_FILESYSTEM_H

#ifdef __linux__
#include <sys/vfs.h>

// The number of the kind of file system that `path` is on (linux/magic.h); -1 with errno if it is unknown. Swift's Glibc
// has no statfs.
static inline long quoin_file_system_kind(const char *path) {
  struct statfs status;
  return statfs(path, &status) == 0 ? (long)status.f_type : -1;
}
#endif

#endif
