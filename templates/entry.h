#ifdef __TINYC__
#define MADE_BY "cqlgen, TinyCC"
#else
#define MADE_BY "cqlgen, cc " __VERSION__
#endif

const Matcher *cql_matcher(void);

const Matcher *cql_matcher(void)
{
    static const Matcher matcher = {
        .magic = CQL_MAGIC,
        .abi_version = CQL_ABI_VERSION,
        .query_count = sizeof queries / sizeof *queries,
        .query = queries,
        .made_by = MADE_BY,
    };
    return &matcher;
}
