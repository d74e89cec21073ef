/* The header as C. The functions are in Sources/QuoinC, in Swift. */
#include "quoin.h"

/* Python and other programs without a compiler write the structs down by hand. */
#define IS_ABI(claim, name) typedef char name[(claim) ? 1 : -1]

IS_ABI(sizeof(void *) != 8 || sizeof(struct ArrowSchema) == 72, schema_has_its_size);
IS_ABI(sizeof(void *) != 8 || sizeof(struct ArrowArray) == 80, array_has_its_size);
IS_ABI(sizeof(void *) != 8 || sizeof(struct ArrowArrayStream) == 40, stream_has_its_size);
IS_ABI(sizeof(void *) != 8 || sizeof(quoin_query) == 144, query_has_its_size);
IS_ABI(sizeof(void *) != 8 || sizeof(quoin_facts) == 16, facts_have_their_size);
IS_ABI(sizeof(void *) != 8 || sizeof(quoin_field) == 16, field_has_its_size);
IS_ABI(sizeof(void *) != 8 || sizeof(quoin_groups) == 32, groups_have_their_size);
IS_ABI(sizeof(void *) != 8 || sizeof(quoin_rules) == 24, rules_have_their_size);
IS_ABI(sizeof(void *) != 8 || sizeof(quoin_write) == 56, write_has_its_size);
IS_ABI(sizeof(void *) != 8 || sizeof(quoin_counts) == 48, counts_have_their_size);
