/*
 * The functions of quoin.spark.Native that write. Spark pushes rows and quoin_import() pulls them, so an import runs on a thread of its
 * own. It takes a batch as soon as it is full, and meanwhile Java fills the next one.
 */
#include "glue.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMN_MAX = 32, TICKER_BYTES = 40 };

/* A batch that is filled: for each column a validity bitmap, values, and the bytes of texts. */
typedef struct batch {
  int column_count;
  struct column {
    struct ArrowArray array;
    const void *buffers[3];
  } columns[COLUMN_MAX];
  struct ArrowArray *children[COLUMN_MAX];
  const void *buffers[1];
} batch;

typedef struct import {
  quoin_store *store;
  int column_count, capacity;
  char *names[COLUMN_MAX], *formats[COLUMN_MAX], *name_lines, *format_lines;
  pthread_t thread;
  pthread_mutex_t lock;
  pthread_cond_t changed;
  /* Under the lock: the batch that waits, whether there will be others, and whether the import is over. */
  batch *full;
  int full_rows, is_complete, is_stopped, is_over;
  /* Java's alone. */
  batch *open;
  /* The thread's, and Java's once the import is over. */
  quoin_code code;
  quoin_error *error;
} import;

static void free_batch(batch *batch) {
  if (batch == NULL) return;
  for (int i = 0; i < batch->column_count; i++) {
    for (int buffer = 0; buffer < 3; buffer++) free((void *)batch->columns[i].buffers[buffer]);
  }
  free(batch);
}

static batch *new_batch(const import *import) {
  batch *made = calloc(1, sizeof *made);
  if (made == NULL) return NULL;
  size_t rows = (size_t)import->capacity;
  made->column_count = import->column_count;
  for (int i = 0; i < made->column_count; i++) {
    const char *format = import->formats[i];
    int is_text = strcmp(format, "u") == 0, is_day = strcmp(format, "tdD") == 0;
    struct column *column = &made->columns[i];
    column->buffers[0] = calloc(rows / 8 + 8, 1);
    column->buffers[1] = calloc(rows + 1, is_text || is_day ? 4 : 8);
    column->buffers[2] = is_text ? malloc(rows * TICKER_BYTES) : NULL;
    if (column->buffers[0] == NULL || column->buffers[1] == NULL || (is_text && column->buffers[2] == NULL)) {
      free_batch(made);
      return NULL;
    }
  }
  return made;
}

static void release_column(struct ArrowArray *array) { array->release = NULL; }

static void release_batch(struct ArrowArray *array) {
  free_batch(array->private_data);
  array->release = NULL;
}

/* A full batch as an array, which owns it. */
static void hand_out(batch *batch, int rows, const import *import, struct ArrowArray *out) {
  for (int i = 0; i < batch->column_count; i++) {
    struct column *column = &batch->columns[i];
    int is_text = strcmp(import->formats[i], "u") == 0;
    column->array = (struct ArrowArray){
        .length = rows, .null_count = -1, .n_buffers = is_text ? 3 : 2, .buffers = column->buffers, .release = release_column};
    batch->children[i] = &column->array;
  }
  *out = (struct ArrowArray){
      .length = rows, .n_buffers = 1, .buffers = batch->buffers, .n_children = batch->column_count, .children = batch->children,
      .release = release_batch, .private_data = batch};
}

/* ---- What quoin_import() calls ---- */

static void release_field(struct ArrowSchema *schema) { schema->release = NULL; }

static void release_schema(struct ArrowSchema *schema) {
  free(schema->private_data);
  schema->release = NULL;
}

static int get_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out) {
  const import *import = stream->private_data;
  struct fields {
    struct ArrowSchema fields[COLUMN_MAX], *children[COLUMN_MAX];
  } *made = calloc(1, sizeof *made);
  if (made == NULL) return ENOMEM;
  for (int i = 0; i < import->column_count; i++) {
    made->fields[i] = (struct ArrowSchema){
        .format = import->formats[i], .name = import->names[i], .flags = ARROW_FLAG_NULLABLE, .release = release_field};
    made->children[i] = &made->fields[i];
  }
  *out = (struct ArrowSchema){
      .format = "+s", .name = "", .n_children = import->column_count, .children = made->children, .release = release_schema, .private_data = made};
  return 0;
}

static int get_next(struct ArrowArrayStream *stream, struct ArrowArray *out) {
  import *import = stream->private_data;
  memset(out, 0, sizeof *out);
  pthread_mutex_lock(&import->lock);
  while (import->full == NULL && !import->is_complete && !import->is_stopped) pthread_cond_wait(&import->changed, &import->lock);
  int is_stopped = import->is_stopped;
  if (!is_stopped && import->full != NULL) {
    hand_out(import->full, import->full_rows, import, out);
    import->full = NULL;
    pthread_cond_broadcast(&import->changed);
  }
  pthread_mutex_unlock(&import->lock);
  return is_stopped ? ECANCELED : 0;
}

static const char *get_last_error(struct ArrowArrayStream *stream) {
  (void)stream;
  return "the task was stopped";
}

static void release_stream(struct ArrowArrayStream *stream) { stream->release = NULL; }

static void *run(void *argument) {
  import *import = argument;
  struct ArrowArrayStream rows = {get_schema, get_next, get_last_error, release_stream, import};
  quoin_write options = {.size = sizeof options, .source = "Spark", .threads = 1};
  quoin_error *error = NULL;
  quoin_code code = quoin_import(import->store, &rows, &options, NULL, &error);
  pthread_mutex_lock(&import->lock);
  import->code = code;
  import->error = error;
  import->is_over = 1;
  pthread_cond_broadcast(&import->changed);
  pthread_mutex_unlock(&import->lock);
  return NULL;
}

/* ---- What Java calls ---- */

static void free_import(import *import) {
  free_batch(import->open);
  free_batch(import->full);
  free(import->name_lines);
  free(import->format_lines);
  quoin_error_free(import->error);
  free(import);
}

static int split(char *lines, char **parts) {
  int count = 0;
  char *rest;
  for (char *next = strtok_r(lines, "\n", &rest); next != NULL && count < COLUMN_MAX; next = strtok_r(NULL, "\n", &rest)) parts[count++] = next;
  return count;
}

#define NATIVE(type, name) JNIEXPORT type JNICALL Java_quoin_spark_Native_##name

/* Begins an import of batches with these columns, by their names and Arrow's formats. */
NATIVE(jlong, beginImport)(JNIEnv *env, jclass class, jlong store, jbyteArray names, jbyteArray formats, jint capacity) {
  (void)class;
  import *import = calloc(1, sizeof *import);
  if (import != NULL) {
    import->store = (quoin_store *)store;
    import->capacity = capacity;
    import->name_lines = copied(env, names);
    import->format_lines = copied(env, formats);
    pthread_mutex_init(&import->lock, NULL);
    pthread_cond_init(&import->changed, NULL);
    import->column_count = split(import->name_lines, import->names);
    if (split(import->format_lines, import->formats) == import->column_count && pthread_create(&import->thread, NULL, run, import) == 0) return (jlong)import;
    free_import(import);
  }
  throw_sentence(env, QUOIN_IO, "no thread can be started");
  return 0;
}

/* An empty batch to fill. `places` gets three addresses of each column: validity, values or offsets, and bytes. */
NATIVE(void, newBatch)(JNIEnv *env, jclass class, jlong address, jlongArray places) {
  (void)class;
  import *import = (struct import *)address;
  if (import->open == NULL) import->open = new_batch(import);
  if (import->open == NULL) {
    throw_sentence(env, QUOIN_IO, "there is no memory for a batch of rows");
    return;
  }
  for (int i = 0; i < import->column_count; i++) {
    jlong column[3];
    for (int buffer = 0; buffer < 3; buffer++) column[buffer] = (jlong)import->open->columns[i].buffers[buffer];
    (*env)->SetLongArrayRegion(env, places, i * 3, 3, column);
  }
}

/* Hands the filled batch over, once the one before it is taken. False if the import has failed: finishImport() says why. */
NATIVE(jboolean, send)(JNIEnv *env, jclass class, jlong address, jint rows) {
  (void)env, (void)class;
  import *import = (struct import *)address;
  pthread_mutex_lock(&import->lock);
  while (import->full != NULL && !import->is_over) pthread_cond_wait(&import->changed, &import->lock);
  int is_taken = !import->is_over;
  if (is_taken) {
    import->full = import->open;
    import->full_rows = rows;
    import->open = NULL;
    pthread_cond_broadcast(&import->changed);
  }
  pthread_mutex_unlock(&import->lock);
  return (jboolean)is_taken;
}

/* Ends an import: commits it, or gives it up. Throws if it fails. The address is good no more. */
NATIVE(void, finishImport)(JNIEnv *env, jclass class, jlong address, jboolean is_complete) {
  (void)class;
  import *import = (struct import *)address;
  pthread_mutex_lock(&import->lock);
  if (is_complete) import->is_complete = 1; else import->is_stopped = 1;
  pthread_cond_broadcast(&import->changed);
  pthread_mutex_unlock(&import->lock);
  pthread_join(import->thread, NULL);
  if (is_complete && import->code != QUOIN_OK) {
    throw_error(env, import->error);
    import->error = NULL;
  }
  free_import(import);
}

/* Publishes finished stores, as quoin_publish() does. */
NATIVE(void, publish)(JNIEnv *env, jclass class, jbyteArray path, jbyteArray stores, jboolean replaces) {
  (void)class;
  char *root = copied(env, path), *lines = copied(env, stores);
  size_t count = 0;
  const char **list = malloc((strlen(lines) / 2 + 1) * sizeof *list);
  char *rest;
  for (char *next = strtok_r(lines, "\n", &rest); next != NULL; next = strtok_r(NULL, "\n", &rest)) list[count++] = next;
  quoin_write options = {.size = sizeof options, .patience = 60000};
  quoin_error *error = NULL;
  quoin_code code = quoin_publish(root, list, count, replaces ? QUOIN_REPLACE : 0, &options, &error);
  free(root);
  free(lines);
  free(list);
  if (code != QUOIN_OK) throw_error(env, error);
}
