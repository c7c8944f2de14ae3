// The memory of a search (SearchOptions.memory), and how it is divided.
#ifndef CQL_SEARCH_BUDGET_H
#define CQL_SEARCH_BUDGET_H

#include "search.h"

// A quarter of what this process may use, in bytes.
size_t search_memory_share(void);

// The bytes of all together: what the options say, or a quarter of what this process may use.
size_t search_memory(const SearchOptions *options);

// The bytes that the queries may take together while they are compiled, and after it; `memory` is that of the options.
size_t search_memory_of_queries(int64_t memory);

// The bytes that results may take while they wait.
size_t search_memory_of_results(const SearchOptions *options);

// The bytes that the text of a game may have.
size_t search_memory_of_text(const SearchOptions *options);

// The bytes that a game may take when it is read and written.
size_t search_memory_of_tree(const SearchOptions *options);

// The bytes that the comments, messages, strings and dictionaries of a query may each take in a game; sequential: a single thread
// evaluates all games, and their dictionaries grow.
size_t search_memory_of_game(const SearchOptions *options, bool sequential);

#endif
