// Runs one program and says what it cost, on file descriptor 3:
//
//   measure [-c CPU] PROGRAM ARGUMENT...
//   wall, user and system time in seconds, peak memory in KiB, exit code
//
// It is here because a process that Python starts inherits Python's peak memory: the kernel counts
// what a process was before it became another program. This one is small.
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double seconds(struct timeval time) { return time.tv_sec + time.tv_usec * 1e-6; }

int main(int count, char **arguments) {
  char **command = arguments + 1;
  if (count > 3 && strcmp(command[0], "-c") == 0) {
    cpu_set_t cpus;
    CPU_ZERO(&cpus);
    CPU_SET(atoi(command[1]), &cpus);
    if (sched_setaffinity(0, sizeof cpus, &cpus) != 0) {
      perror("measure: sched_setaffinity");
      return 1;
    }
    command += 2;
  }
  if (!*command) return 1;

  struct timespec start, end;
  clock_gettime(CLOCK_MONOTONIC, &start);
  pid_t child = fork();
  if (child == 0) {
    close(3);
    execvp(command[0], command);
    perror(command[0]);
    _exit(127);
  }
  int status = 0;
  struct rusage usage;
  if (child < 0 || wait4(child, &status, 0, &usage) != child) {
    perror("measure");
    return 1;
  }
  clock_gettime(CLOCK_MONOTONIC, &end);

  double wall = (double)(end.tv_sec - start.tv_sec) + (double)(end.tv_nsec - start.tv_nsec) * 1e-9;
  int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  dprintf(3, "%.6f %.6f %.6f %ld %d\n", wall, seconds(usage.ru_utime), seconds(usage.ru_stime),
          usage.ru_maxrss, code);
  return 0;
}
