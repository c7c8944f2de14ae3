// The memory of a search: half of it is for results, half for what queries keep.
#include "budget.h"

#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

enum {
    LEAST_OF_GAME = 4 << 20,
    LEAST_OF_TEXT = 16 << 20,
    LEAST_OF_TREE = 32 << 20,
    LEAST_OF_QUERIES = 32 << 20,
    USUAL_OF_RESULTS = 512 << 20
};

// A limit in a file of the control group; SIZE_MAX: none.
static size_t group_limit(const char *path)
{
    unsigned long long bytes;
    FILE *in = fopen(path, "re");
    const bool read = in && fscanf(in, "%llu", &bytes) == 1;
    if (in)
        fclose(in);
    return read && bytes < SIZE_MAX ? (size_t)bytes : SIZE_MAX;
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

// What the machine has, less what limits leave of it.
static size_t usable(void)
{
    const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGE_SIZE);
    size_t all = pages > 0 && page > 0 ? (size_t)pages * (size_t)page : (size_t)1 << 30;
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
        all = least(all, (size_t)limit.rlim_cur);
    all = least(all, group_limit("/sys/fs/cgroup/memory.max"));
    return least(all, group_limit("/sys/fs/cgroup/memory/memory.limit_in_bytes"));
}

size_t search_memory_share(void)
{
    return usable() / 4;
}

size_t search_memory(const SearchOptions *options)
{
    return options->memory > 0 ? (size_t)options->memory : search_memory_share();
}

size_t search_memory_of_results(const SearchOptions *options)
{
    const size_t half = search_memory(options) / 2;
    return options->memory > 0 ? half : least(half, USUAL_OF_RESULTS);
}

size_t search_memory_of_queries(int64_t memory)
{
    const size_t half = (memory > 0 ? (size_t)memory : search_memory_share()) / 2;
    return half > LEAST_OF_QUERIES ? half : LEAST_OF_QUERIES;
}

size_t search_memory_of_text(const SearchOptions *options)
{
    const size_t share = search_memory(options) / 16;
    return share > LEAST_OF_TEXT ? share : LEAST_OF_TEXT;
}

size_t search_memory_of_tree(const SearchOptions *options)
{
    const size_t share = search_memory(options) / 4;
    return share > LEAST_OF_TREE ? share : LEAST_OF_TREE;
}

// A text of a game is copied on its way to the output, and buffers double. The share does not depend on the number of threads:
// neither do results.
size_t search_memory_of_game(const SearchOptions *options, bool sequential)
{
    const size_t share = search_memory(options) / (sequential ? 8 : 64);
    return share > LEAST_OF_GAME ? share : LEAST_OF_GAME;
}
