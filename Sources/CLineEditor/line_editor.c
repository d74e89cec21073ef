#include "line_editor.h"

#include <editline/readline.h>
#include <errno.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

static char **lists[LINE_LIST_COUNT];
static volatile sig_atomic_t is_reading, is_interrupted;
static void (*interrupted)(void);

void line_complete_with(int list, const char *const *words) {
  size_t count = 0;
  for (char **word = lists[list]; word != NULL && *word != NULL; word++) free(*word);
  free(lists[list]);
  while (words[count] != NULL) count++;
  lists[list] = malloc((count + 1) * sizeof(char *));
  if (lists[list] == NULL) return;
  for (size_t i = 0; i <= count; i++) lists[list][i] = words[i] != NULL ? strdup(words[i]) : NULL;
}

/* The list that the word being completed is of, and the next place in it. */
static char **next_word;

/* The next word that begins with a text, in the text's case. */
static char *matching_word(const char *text, int state) {
  static char **list;
  if (state == 0) list = next_word;
  size_t length = strlen(text);
  for (; list != NULL && *list != NULL; list++) {
    if (strncasecmp(*list, text, length) != 0) continue;
    char *word = strdup(*list++);
    if (word != NULL) memcpy(word, text, length);
    return word;
  }
  return NULL;
}

static char **complete(const char *text, int start, int end) {
  (void)end;
  // Never the names of files.
  rl_attempted_completion_over = 1;
  int is_command = rl_line_buffer[0] == '.' && start == 1;
  int is_quoted = start > 0 && rl_line_buffer[start - 1] == '\'';
  next_word = lists[is_command ? LINE_COMMANDS : is_quoted ? LINE_NAMES : LINE_WORDS];
  return rl_completion_matches(text, matching_word);
}

static void handle(int number) {
  (void)number;
  if (is_reading) is_interrupted = 1;
  else if (interrupted != NULL) interrupted();
}

void line_on_interrupt(void (*handler)(void)) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  interrupted = handler;
  action.sa_handler = handle;
  sigaction(SIGINT, &action, NULL);
}

/* The next character that is typed; EOF at the end, and after Ctrl-C. */
static int read_character(FILE *input) {
  unsigned char byte;
  int character = 0, missing = 0;
  do {
    ssize_t count;
    do {
      count = is_interrupted ? 0 : read(fileno(input), &byte, 1);
    } while (count < 0 && errno == EINTR);
    if (count <= 0) return EOF;
    // UTF-8.
    if (missing > 0 && byte >> 6 == 2) {
      character = character << 6 | (byte & 0x3f);
      missing--;
    } else {
      missing = byte >= 0xf0 ? 3 : byte >= 0xe0 ? 2 : byte >= 0xc0 ? 1 : 0;
      character = byte & (missing > 0 ? 0x3f >> missing : 0xff);
    }
  } while (missing > 0);
  return character;
}

static void prepare(void) {
  static int is_prepared;
  if (is_prepared) return;
  is_prepared = 1;
  // Which letters there are; nothing else depends on the locale.
  setlocale(LC_CTYPE, "");
  rl_readline_name = "quoin";
  rl_getc_function = read_character;
  rl_initialize();
  rl_attempted_completion_function = complete;
  rl_basic_word_break_characters = " \t\n\"'`@$><=;|&{(,)+-*/%.";
  rl_completer_word_break_characters = rl_basic_word_break_characters;
  rl_completion_append_character = '\0';
}

void line_begin_history(const char *path, int max) {
  prepare();
  using_history();
  stifle_history(max);
  read_history(path);
}

void line_remember(const char *entry, const char *path) {
  add_history(entry);
  write_history(path);
}

char *line_read(const char *prompt, int *is_cancelled) {
  prepare();
  is_interrupted = 0;
  is_reading = 1;
  char *line = readline(prompt);
  is_reading = 0;
  *is_cancelled = is_interrupted;
  if (!is_interrupted) return line;
  free(line);
  puts("^C");
  return NULL;
}
