#include "progress.h"

#include <string.h>
#include <unistd.h>

Progress progress_new(const SearchOptions *options)
{
    bool terminal = isatty(STDERR_FILENO);
    const double first = 0.5; // a search that is over at once shows nothing
    return (Progress){
        .wanted = !options->quiet && (terminal || options->progress), .terminal = terminal, .next = first};
}

double progress_interval(const Progress *p)
{
    return p->terminal ? 0.2 : 1;
}

// A duration as M:SS or H:MM:SS.
static void duration_text(char *text, size_t room, double seconds)
{
    long long s = (long long)(seconds + 0.5);
    if (s >= 3600)
        snprintf(text, room, "%lld:%02lld:%02lld", s / 3600, s / 60 % 60, s % 60);
    else
        snprintf(text, room, "%lld:%02lld", s / 60, s % 60);
}

void progress_text(char *text, size_t room, const SearchTotals *totals, double seconds, uint64_t stored,
                   uint64_t size)
{
    char left[32] = "", done[16] = "";
    double time = seconds > 1e-3 ? seconds : 1e-3, part = size > 0 ? (double)stored / (double)size : 0;
    if (part > 1)
        part = 1;
    if (size > 0)
        snprintf(done, sizeof done, "%3.0f%%  ", 100 * part);
    if (part > 0.01) {
        char eta[24];
        duration_text(eta, sizeof eta, time / part - time);
        snprintf(left, sizeof left, ", %s left", eta);
    }
    snprintf(text, room, "%s%lld games, %lld match, %.0f games/s, %.1f MB/s%s", done,
             (long long)totals->games, (long long)totals->matches, (double)totals->games / time,
             (double)stored / 1e6 / time, left);
}

void progress_show(Progress *p, const SearchTotals *totals, double seconds, uint64_t stored, uint64_t size)
{
    if (!p->wanted || seconds < p->next)
        return;
    char text[200];
    progress_text(text, sizeof text, totals, seconds, stored, size);
    fprintf(stderr, p->terminal ? "\r%s\033[K" : "%s\n", text);
    p->shown = p->terminal;
    p->next = seconds + progress_interval(p);
}

void progress_clear(Progress *p)
{
    if (p->shown)
        fputs("\r\033[K", stderr);
    p->shown = false;
}
