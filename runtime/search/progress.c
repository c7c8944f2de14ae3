// Shows the progress of a search.
#include "progress.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/value/terminal.h"

enum { LINE = 200 };

Progress progress_new(const SearchOptions *options)
{
    const char *kind = getenv("TERM");
    const bool json = messages_are_json(), dumb = kind && strcmp(kind, "dumb") == 0;
    const bool terminal = isatty(STDERR_FILENO) && !dumb && !json; // it can rewrite a line
    const double first = json ? 0.1 : 0.5;                         // a short search shows nothing
    return (Progress){.wanted = !options->quiet && (terminal || json || options->progress),
                      .terminal = terminal,
                      .json = json,
                      .next = first};
}

double progress_interval(const Progress *p)
{
    return p->json ? 0.1 : p->terminal ? 0.2 : 1;
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

static void progress_text(char *text, size_t room, const SearchTotals *totals, double part)
{
    char left[32] = "", done[16] = "";
    double time = totals->seconds > 1e-3 ? totals->seconds : 1e-3;
    if (part > 1)
        part = 1;
    if (part > 0)
        snprintf(done, sizeof done, "%3.0f%%  ", 100 * part);
    if (part > 0.01) {
        char eta[24];
        duration_text(eta, sizeof eta, time / part - time);
        snprintf(left, sizeof left, ", %s left", eta);
    }
    snprintf(text, room, "%s%lld games, %lld match, %.0f games/s, %.1f MB/s%s", done,
             (long long)totals->games, (long long)totals->matches, (double)totals->games / time,
             (double)totals->bytes / 1e6 / time, left);
}

static void print_progress(const SearchTotals *t, double part)
{
    char done[32] = "null", left[32] = "null";
    if (part > 0)
        snprintf(done, sizeof done, "%.4f", part < 1 ? part : 1);
    if (part > 0.01)
        snprintf(left, sizeof left, "%.1f", part < 1 ? t->seconds / part - t->seconds : 0);
    print_json("{\"event\":\"progress\",\"games\":%lld,\"matches\":%lld,\"positions\":%lld,\"part\":%s,"
               "\"seconds\":%.3f,"
               "\"left\":%s}",
               (long long)t->games, (long long)t->matches, (long long)t->positions, done, t->seconds, left);
}

void progress_show(Progress *p, const SearchTotals *totals, double part)
{
    if (!p->wanted || totals->seconds < p->next)
        return;
    char text[LINE];
    progress_text(text, sizeof text, totals, part);
    if (p->json)
        print_progress(totals, part);
    else if (p->terminal)
        status_show(text);
    else
        printf_sanitized(stderr, "%s\n", text);
    p->shown = p->terminal;
    p->next = totals->seconds + progress_interval(p);
}

void progress_clear(Progress *p)
{
    if (p->shown)
        status_clear();
    p->shown = false;
}
