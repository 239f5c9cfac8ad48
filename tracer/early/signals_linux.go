package early

// Until main has asked Go for signals, Go's runtime lets them end the process without a word, as the system does. Handlers that are there
// before it starts hear of them instead: this constructor of C sets them first of all.

/*
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

static void endEarly(int number) {
	const char *text = number == SIGINT ? "glint: interrupted\n" : "glint: ended by a signal\n";
	ssize_t written = write(STDERR_FILENO, text, strlen(text));
	(void)written;
	_exit(128 + number);
}

__attribute__((constructor(101))) static void handleSignals(void) {
	const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
		struct sigaction before, ours = {.sa_handler = endEarly, .sa_flags = SA_ONSTACK};
		if (sigaction(numbers[i], NULL, &before) == 0 && before.sa_handler == SIG_DFL) // nohup ignores some
			sigaction(numbers[i], &ours, NULL);
	}
}
*/
import "C"
