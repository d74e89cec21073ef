/* The functions of quoin.spark.Native that read: each asks quoin.h, and throws what it answers in place of a result. */
#include "glue.h"

#include <stdlib.h>
#include <string.h>

char *copied(JNIEnv *env, jbyteArray text) {
  if (text == NULL) return NULL;
  jsize length = (*env)->GetArrayLength(env, text);
  char *copy = malloc((size_t)length + 1);
  // Without a condition there would be other rows.
  if (copy == NULL) (*env)->FatalError(env, "Quoin has no memory for a text");
  (*env)->GetByteArrayRegion(env, text, 0, length, (jbyte *)copy);
  copy[length] = 0;
  return copy;
}

static jbyteArray bytes(JNIEnv *env, const char *text, size_t length) {
  jbyteArray array = (*env)->NewByteArray(env, (jsize)length);
  if (array != NULL) (*env)->SetByteArrayRegion(env, array, 0, (jsize)length, (const jbyte *)text);
  return array;
}

void throw_sentence(JNIEnv *env, quoin_code code, const char *sentence) {
  jclass class = (*env)->FindClass(env, "quoin/spark/QuoinException");
  if (class == NULL) return;
  jmethodID make = (*env)->GetMethodID(env, class, "<init>", "(I[B)V");
  jbyteArray text = make == NULL ? NULL : bytes(env, sentence, strlen(sentence));
  jobject thrown = text == NULL ? NULL : (*env)->NewObject(env, class, make, (jint)code, text);
  if (thrown != NULL) (*env)->Throw(env, thrown);
}

void throw_error(JNIEnv *env, quoin_error *error) {
  throw_sentence(env, quoin_error_code(error), quoin_error_message(error));
  quoin_error_free(error);
}

/* A query and the texts that it points to. */
typedef struct asked {
  quoin_query query;
  char *tickers, *where, *columns;
  const char **list;
} asked;

/* The tickers are texts with a line feed after each; null for all. */
static void ask(JNIEnv *env, asked *asked, jbyteArray tickers, jbyteArray where, jbyteArray columns, jlong limit) {
  memset(asked, 0, sizeof *asked);
  asked->query.size = sizeof asked->query;
  asked->query.limit = limit;
  asked->query.threads = 1;
  asked->query.where = asked->where = copied(env, where);
  asked->query.columns = asked->columns = copied(env, columns);
  if (tickers == NULL) return;
  asked->tickers = copied(env, tickers);
  asked->list = malloc((strlen(asked->tickers) / 2 + 1) * sizeof *asked->list);
  if (asked->list == NULL) (*env)->FatalError(env, "Quoin has no memory for a list of tickers");
  size_t count = 0;
  char *rest;
  for (char *next = strtok_r(asked->tickers, "\n", &rest); next != NULL; next = strtok_r(NULL, "\n", &rest)) asked->list[count++] = next;
  asked->query.tickers = asked->list;
  asked->query.ticker_count = count;
}

static void end(asked *asked) {
  free(asked->tickers);
  free(asked->where);
  free(asked->columns);
  free(asked->list);
}

/* A list of texts as bytes with a line feed after each. Frees the list. */
static jbyteArray lines(JNIEnv *env, const char **list, size_t count) {
  size_t length = 0;
  for (size_t i = 0; i < count; i++) length += strlen(list[i]) + 1;
  char *text = malloc(length + 1), *end = text;
  for (size_t i = 0; i < count && text != NULL; i++) {
    size_t part = strlen(list[i]);
    memcpy(end, list[i], part);
    end += part;
    *end++ = '\n';
  }
  quoin_free(list);
  jbyteArray array = text == NULL ? NULL : bytes(env, text, length);
  free(text);
  return array;
}

#define NATIVE(type, name) JNIEXPORT type JNICALL Java_quoin_spark_Native_##name

NATIVE(jlong, open)(JNIEnv *env, jclass class, jbyteArray path, jint flags) {
  (void)class;
  quoin_error *error;
  char *text = copied(env, path);
  quoin_store *store = quoin_open(text, (uint32_t)flags, &error);
  free(text);
  if (store == NULL) throw_error(env, error);
  return (jlong)store;
}

NATIVE(jlong, openSnapshot)(JNIEnv *env, jclass class, jlong store, jbyteArray name) {
  (void)class;
  quoin_error *error;
  char *text = copied(env, name);
  quoin_store *snapshot = quoin_open_snapshot((quoin_store *)store, text, &error);
  free(text);
  if (snapshot == NULL) throw_error(env, error);
  return (jlong)snapshot;
}

NATIVE(void, close)(JNIEnv *env, jclass class, jlong store) {
  (void)env, (void)class;
  quoin_close((quoin_store *)store);
}

NATIVE(jbyteArray, tickers)(JNIEnv *env, jclass class, jlong store) {
  (void)class;
  quoin_error *error;
  size_t count;
  const char **list = quoin_tickers((quoin_store *)store, &count, &error);
  if (list != NULL) return lines(env, list, count);
  throw_error(env, error);
  return NULL;
}

NATIVE(jbyteArray, shards)(JNIEnv *env, jclass class, jlong store) {
  (void)class;
  quoin_error *error;
  size_t count;
  const char **list = quoin_shards((quoin_store *)store, &count, &error);
  if (list != NULL) return lines(env, list, count);
  throw_error(env, error);
  return NULL;
}

NATIVE(jboolean, isByDay)(JNIEnv *env, jclass class, jbyteArray where) {
  (void)class;
  quoin_error *error;
  asked asked;
  quoin_facts facts = {.size = sizeof facts};
  ask(env, &asked, NULL, where, NULL, 0);
  quoin_code code = quoin_inspect(&asked.query, NULL, &facts, &error);
  end(&asked);
  if (code != QUOIN_OK) throw_error(env, error);
  return facts.is_by_day != 0;
}

NATIVE(jlong, count)(JNIEnv *env, jclass class, jlong store, jbyteArray tickers, jbyteArray where) {
  (void)class;
  quoin_error *error;
  asked asked;
  int64_t count = 0;
  ask(env, &asked, tickers, where, NULL, 0);
  quoin_code code = quoin_count((quoin_store *)store, &asked.query, &count, &error);
  end(&asked);
  if (code != QUOIN_OK) throw_error(env, error);
  return count;
}

NATIVE(jbyteArray, partitions)(JNIEnv *env, jclass class, jlong store, jbyteArray tickers, jlongArray ends) {
  (void)class;
  quoin_error *error;
  asked asked;
  jsize count = (*env)->GetArrayLength(env, ends);
  size_t *places = calloc((size_t)count + 1, sizeof *places);
  ask(env, &asked, tickers, NULL, NULL, 0);
  const char **list = quoin_partitions((quoin_store *)store, &asked.query, (size_t)count, places, &error);
  end(&asked);
  for (jsize i = 0; i < count && list != NULL; i++) {
    jlong place = (jlong)places[i];
    (*env)->SetLongArrayRegion(env, ends, i, 1, &place);
  }
  size_t last = count > 0 ? places[count - 1] : 0;
  free(places);
  if (list != NULL) return lines(env, list, last);
  throw_error(env, error);
  return NULL;
}

/* A stream and the batch of it that Java reads. */
typedef struct rows {
  struct ArrowArrayStream stream;
  struct ArrowArray batch;
} rows;

static void drop(rows *rows) {
  if (rows->batch.release != NULL) rows->batch.release(&rows->batch);
  if (rows->stream.release != NULL) rows->stream.release(&rows->stream);
  free(rows);
}

NATIVE(jlong, scan)(JNIEnv *env, jclass class, jlong store, jbyteArray tickers, jbyteArray where, jbyteArray columns, jlong limit) {
  (void)class;
  quoin_error *error;
  asked asked;
  rows *rows = calloc(1, sizeof *rows);
  ask(env, &asked, tickers, where, columns, limit);
  quoin_code code = quoin_scan((quoin_store *)store, &asked.query, &rows->stream, &error);
  end(&asked);
  if (code == QUOIN_OK) return (jlong)rows;
  throw_error(env, error);
  drop(rows);
  return 0;
}

NATIVE(jlong, aggregate)(JNIEnv *env, jclass class, jlong store, jbyteArray tickers, jbyteArray where, jbyteArray aggregates, jbyteArray by) {
  (void)class;
  quoin_error *error;
  asked asked;
  rows *rows = calloc(1, sizeof *rows);
  ask(env, &asked, tickers, where, NULL, 0);
  char *functions = copied(env, aggregates), *keys = copied(env, by);
  quoin_groups groups = {.size = sizeof groups, .aggregates = functions, .by = keys};
  quoin_code code = quoin_aggregate((quoin_store *)store, &asked.query, &groups, &rows->stream, &error);
  end(&asked);
  free(functions);
  free(keys);
  if (code == QUOIN_OK) return (jlong)rows;
  throw_error(env, error);
  drop(rows);
  return 0;
}

/*
 * The number of rows of the next batch, -1 after the last. `places` gets five addresses of each column: validity, values, and those of
 * its dictionary: offsets, bytes, and the number of its texts. They are good until the next call.
 */
NATIVE(jlong, next)(JNIEnv *env, jclass class, jlong address, jlongArray places) {
  (void)class;
  rows *rows = (struct rows *)address;
  if (rows->batch.release != NULL) rows->batch.release(&rows->batch);
  memset(&rows->batch, 0, sizeof rows->batch);
  if (rows->stream.get_next(&rows->stream, &rows->batch) != 0) {
    const char *sentence = rows->stream.get_last_error(&rows->stream);
    throw_sentence(env, QUOIN_OTHER, sentence == NULL ? "the rows could not be read" : sentence);
    return 0;
  }
  if (rows->batch.release == NULL) return -1;
  jsize room = (*env)->GetArrayLength(env, places);
  for (int64_t i = 0; i < rows->batch.n_children && (i + 1) * 5 <= room; i++) {
    const struct ArrowArray *column = rows->batch.children[i], *texts = column->dictionary;
    // The library's arrays begin with their first row.
    jlong column_places[5] = {
        column->null_count == 0 ? 0 : (jlong)column->buffers[0], (jlong)column->buffers[1], texts == NULL ? 0 : (jlong)texts->buffers[1],
        texts == NULL ? 0 : (jlong)texts->buffers[2], texts == NULL ? 0 : texts->length};
    (*env)->SetLongArrayRegion(env, places, (jsize)i * 5, 5, column_places);
  }
  return rows->batch.length;
}

/* The first letter of the format of each column. */
NATIVE(jbyteArray, formats)(JNIEnv *env, jclass class, jlong address) {
  (void)class;
  rows *rows = (struct rows *)address;
  struct ArrowSchema schema;
  if (rows->stream.get_schema(&rows->stream, &schema) != 0) {
    const char *sentence = rows->stream.get_last_error(&rows->stream);
    throw_sentence(env, QUOIN_OTHER, sentence == NULL ? "the columns could not be read" : sentence);
    return NULL;
  }
  jbyteArray array = (*env)->NewByteArray(env, (jsize)schema.n_children);
  for (int64_t i = 0; i < schema.n_children && array != NULL; i++) {
    jbyte letter = (jbyte)schema.children[i]->format[0];
    (*env)->SetByteArrayRegion(env, array, (jsize)i, 1, &letter);
  }
  schema.release(&schema);
  return array;
}

NATIVE(void, release)(JNIEnv *env, jclass class, jlong address) {
  (void)env, (void)class;
  drop((struct rows *)address);
}
