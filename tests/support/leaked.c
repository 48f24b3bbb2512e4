/* Loses memory, for leaks_test. With an argument a child does, and this program ends well. */
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int count, char** arguments) {
  (void)arguments;
  if (count > 1) {
    const pid_t child = fork();
    if (child != 0) return waitpid(child, NULL, 0) == child ? 0 : 1;
  }
  static void* volatile held;
  held = malloc(77);
  if (held == NULL) return 1;
  held = NULL;
  return 0;
}
