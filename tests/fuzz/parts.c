// Results of blocks as other processes give them: partial results that `cqlgen merge` reads, journals, and messages of a search
// by several processes.
//
// The first byte: 'J' for a journal, 'M' for a message, anything else for a partial result. A message is what follows, as it is.
// In files come records: the kind (records.h; plus 128: its
// checksum is wrong), the length (two bytes, the lower first), the bytes. A RECORD_KEY of one byte stands for the key of a
// search of this harness, before which comes the list of its files.
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compiler/cli/cli.h"
#include "runtime/game/game.h"
#include "runtime/search/fingerprint.h"
#include "runtime/share/hub.h"
#include "runtime/share/partial.h"
#include "runtime/share/records.h"
#include "runtime/value/memory.h"

enum { LONGEST = 1 << 14, SEARCHES = 4, WRONG = 128, BLOCKS = 16 };

static const char games_text[] =
    "[Event \"Fuzz\"]\n[White \"Ann\"]\n[Black \"Bob\"]\n[WhiteElo \"2100\"]\n[Date \"2001.05.??\"]\n"
    "[Result \"1-0\"]\n\n1. e4 {good} e5 2. Qh5 Ke7 (2... Nc6 3. Bc4) 3. Qxe5# 1-0\n\n"
    "[White \"Cid\"]\n[Result \"*\"]\n\n1. f3 e5 2. g4 Qh4# *\n\n";

static char games[80], file[80];
static Buffer files; // of the searches
static Buffer key[SEARCHES];

// The searches whose results are read; as arguments of `cqlgen search`, without the games.
static char *const search_words[SEARCHES][6] = {
    {"-e", "check comment(\"x\" #A) sort \"men\" #A", "-f", "pgn"},
    {"-e", "check", "-e", "mate", "-f", "jsonl"},
    {"-e", "check", "--count-by", "White", "-f", "csv"},
    {"-e", "check sort \"text\" player white", "-f", "html"},
};

// Makes a partial result of each search and takes its key.
static void make_keys(void)
{
    if (games[0])
        return;
    fuzz_silence();
    snprintf(games, sizeof games, "%s/games.pgn", fuzz_folder());
    snprintf(file, sizeof file, "%s/part", fuzz_folder());
    fuzz_write(games, games_text, sizeof games_text - 1);
    fingerprint_put(&files, games, &(Fingerprint){.size = 1});
    for (int i = 0; i < SEARCHES; i++) {
        char *word[16] = {"--engine", "interp", "--part", "1/1", "-q", "-o", file};
        int count = 7;
        for (int k = 0; k < 6 && search_words[i][k]; k++)
            word[count++] = search_words[i][k];
        word[count++] = games;
        const int status = command_search(count, word);
        const char *name = file;
        PartialSet *set = status == STATUS_OK ? partial_set_open(&name, 1) : NULL;
        size_t length;
        const char *bytes = set ? partial_set_key(set, &length) : NULL;
        if (!bytes)
            fuzz_fail("cannot make the key of search %d", i);
        buffer_append(&key[i], bytes, length);
        partial_set_close(set);
    }
}

// ---- the file -----------------------------------------------------------------------------------------------

// Makes the file of the input. Returns the key that it has last.
static Buffer make_file(const uint8_t *data, size_t size)
{
    Buffer out = {0}, last = key[0];
    record_begin_file(&out);
    while (size >= 3) {
        const uint64_t kind = data[0] & (WRONG - 1);
        const bool wrong = data[0] & WRONG;
        size_t length = (size_t)(data[1] | data[2] << 8);
        const char *bytes = (const char *)data + 3;
        length = length < size - 3 ? length : size - 3;
        data += 3 + length;
        size -= 3 + length;
        if (kind == RECORD_KEY) {
            if (length == 1) {
                record_put(&out, RECORD_FILES, files.start, files.length);
                last = key[(unsigned char)*bytes % SEARCHES];
            } else {
                last = (Buffer){.start = (char *)(uintptr_t)bytes, .length = length};
            }
            record_put(&out, kind, last.start, last.length);
        } else {
            record_put(&out, kind, bytes, length);
        }
        if (wrong && length > 0)
            out.start[out.length - 1] ^= 1;
    }
    buffer_append(&out, (const char *)data, size); // a record that is cut off
    fuzz_write(file, out.start, out.length);
    buffer_free(&out);
    return last;
}

// ---- reading it ---------------------------------------------------------------------------------------------

static void merge(void)
{
    char output[100];
    snprintf(output, sizeof output, "%s/merged", fuzz_folder());
    char *word[] = {"-q", "-o", output, "--max-memory", "64", file};
    const int status = command_merge(sizeof word / sizeof *word, word);
    if (status == STATUS_MEMORY)
        fuzz_fail("merge runs out of memory");
    // a part may say that it could not read an input
    if (status != STATUS_OK && status != STATUS_GAME_ERRORS && status != STATUS_INPUT &&
        access(output, F_OK) == 0)
        fuzz_fail("merge fails with %d and leaves a file", status);
    unlink(output);
}

// All results that a hub has, which come in order.
static void receive_all(Hub *h)
{
    const SearchShare share = hub_share(h);
    uint64_t last = SHARE_NONE;
    const char *bytes;
    size_t length;
    for (int i = 0; i < 1000 && share.receive(share.user, &bytes, &length) && bytes; i++) {
        uint64_t number;
        bool more;
        if (length < SHARE_BLOCK_HEAD)
            fuzz_fail("results of %zu bytes", length);
        share_block_head(bytes, &number, &more);
        if (last != SHARE_NONE && number < last)
            fuzz_fail("results are not in order");
        last = number;
    }
}

// Gives back the blocks that are not there as empty ones, and takes all results.
static void finish(Hub *h)
{
    uint64_t begin, end;
    hub_ended(h, BLOCKS);
    while (hub_claim(h, 0, false, &begin, &end) == HUB_RANGE)
        for (uint64_t k = begin; k < end; k++) {
            char bytes[SHARE_BLOCK_HEAD] = {0};
            for (int i = 0; i < 8; i++)
                bytes[i] = (char)(k >> 8 * i);
            if (k < BLOCKS && !hub_put(h, bytes, sizeof bytes))
                fuzz_fail("the hub does not take an empty block");
        }
    receive_all(h);
}

static void go_on(const Buffer *search_key)
{
    Hub *h = hub_new(&(HubOptions){.members = 1,
                                   .journal = file,
                                   .key = search_key->start,
                                   .key_length = search_key->length,
                                   .files = &files});
    if (!h)
        return;
    finish(h);
    hub_free(h, true);
    unlink(file);
}

// The results of some blocks. After a message that is not whole the search has failed.
static void take_message(const char *bytes, size_t length)
{
    char *exactly = memory_new(length + !length); // a sanitizer sees what reads beyond it
    Hub *h = hub_new(&(HubOptions){.members = 1, .key = "key", .key_length = 3});
    memcpy(exactly, bytes, length);
    if (hub_put_all(h, exactly, length))
        finish(h);
    hub_free(h, false);
    free(exactly);
}

void fuzz_parts(const uint8_t *data, size_t size)
{
    if (size == 0 || size > LONGEST)
        return;
    if (data[0] == 'M') {
        take_message((const char *)data + 1, size - 1);
        return;
    }
    make_keys();
    const Buffer last = make_file(data + 1, size - 1);
    if (data[0] == 'J')
        go_on(&last);
    else
        merge();
}
