/* What the Java classes of the connector share on the C side. */
#ifndef QUOIN_SPARK_GLUE_H
#define QUOIN_SPARK_GLUE_H

#include <jni.h>

#include "quoin.h"

/* A text that Java gave as bytes with a zero at the end; NULL for null. The caller frees it. */
char *copied(JNIEnv *env, jbyteArray text);

/* Throws a QuoinException with a code and a sentence. */
void throw_sentence(JNIEnv *env, quoin_code code, const char *sentence);

/* Throws what an error says, and frees it. */
void throw_error(JNIEnv *env, quoin_error *error);

#endif
