// Chooses the back end of a matcher, and falls back to the interpreter.
#include "backends.h"

#include <stdlib.h>

#include "runtime/match/load.h"
#include "interp.h"
#include "template.h"
#include "runtime/value/memory.h"

// engine_load gives an Engine of the kind ENGINE_CC: its handle is one of dlopen.

static bool open_interpreter(Engine *e, Module *const *module, int count)
{
    e->matcher = interp_new(module, count);
    e->kind = ENGINE_INTERP;
    return true;
}

// ENGINE_AUTO: the matcher of the system compiler if it is there already, otherwise that of libtcc.
static bool open_compiled(Engine *e, EngineKind kind, Module *const *module, int count,
                          const EngineOptions *options, char **message)
{
    size_t length = options->like ? options->like->c_length : 0,
           own = options->like ? options->like->c_own : 0;
    const bool made = options->like && options->like->c_text;
    char *c_text = made ? options->like->c_text : emit_c(module, count, HEADER_BARE, &length, &own);
    const Matcher *matcher = NULL;
    void *handle = kind == ENGINE_AUTO ? cache_find(c_text, length, options, &matcher) : NULL;
    const bool with_tcc = kind == ENGINE_TCC || (kind == ENGINE_AUTO && handle == NULL);
    if (with_tcc)
        handle = memory_open(c_text, &matcher, message);
    else if (handle == NULL)
        handle = cache_open(c_text, length, options, &matcher, message);
    *e = (Engine){.matcher = matcher, .kind = with_tcc ? ENGINE_TCC : ENGINE_CC, .handle = handle};
    if (kind == ENGINE_AUTO && with_tcc) {
        e->c_text = c_text;
        e->c_length = length;
        e->c_own = own;
    } else if (!made)
        free(c_text);
    return handle != NULL;
}

bool engine_open(Engine *e, EngineKind kind, Module *const *module, int count, const EngineOptions *options,
                 char **message)
{
    static const EngineOptions usual = {0};
    if (options == NULL)
        options = &usual;
    *message = NULL;
    *e = (Engine){0};
    if (kind == ENGINE_INTERP)
        return open_interpreter(e, module, count);
    if (open_compiled(e, kind, module, count, options, message))
        return true;
    if (kind != ENGINE_AUTO)
        return false;
    free(*message);
    *message = NULL;
    return open_interpreter(e, module, count);
}

bool engine_load(Engine *e, const char *path, char **message)
{
    void *handle;
    const Matcher *matcher = matcher_load(path, &handle, message);
    *e = (Engine){.matcher = matcher, .kind = ENGINE_CC, .handle = handle};
    return matcher != NULL;
}

void engine_close(Engine *e)
{
    if (e->matcher == NULL)
        return;
    if (e->kind == ENGINE_INTERP)
        interp_free(e->matcher);
    else if (e->kind == ENGINE_TCC)
        memory_close(e->handle);
    else
        matcher_unload(e->handle);
    free(e->c_text);
    *e = (Engine){0};
}

const char *engine_name(EngineKind kind)
{
    switch (kind) {
    case ENGINE_INTERP:
        return "interp";
    case ENGINE_TCC:
        return "tcc";
    case ENGINE_CC:
        return "cc";
    default:
        return "auto";
    }
}
