// Runs one program and writes what it cost into a file:
//
//   measure REPORT CPU|any PROGRAM ARGUMENT...
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

static void fail(const char *what) {
  perror(what);
  exit(1);
}

int main(int count, char **arguments) {
  if (count < 4) return 64;
  FILE *report = fopen(arguments[1], "we");
  if (!report) fail(arguments[1]);
  if (strcmp(arguments[2], "any") != 0) {
    cpu_set_t cpus;
    CPU_ZERO(&cpus);
    CPU_SET(atoi(arguments[2]), &cpus);
    if (sched_setaffinity(0, sizeof cpus, &cpus) != 0) fail("measure: sched_setaffinity");
  }
  char **command = arguments + 3;

  struct timespec start, end;
  clock_gettime(CLOCK_MONOTONIC, &start);
  pid_t child = fork();
  if (child == 0) {
    execvp(command[0], command);
    perror(command[0]);
    _exit(127);
  }
  int status = 0;
  struct rusage usage;
  if (child < 0 || wait4(child, &status, 0, &usage) != child) fail("measure");
  clock_gettime(CLOCK_MONOTONIC, &end);

  double wall = (double)(end.tv_sec - start.tv_sec) + (double)(end.tv_nsec - start.tv_nsec) * 1e-9;
  int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  fprintf(report, "%.6f %.6f %.6f %ld %d\n", wall, seconds(usage.ru_utime),
          seconds(usage.ru_stime), usage.ru_maxrss, code);
  if (fclose(report) != 0) fail(arguments[1]);
  return 0;
}
