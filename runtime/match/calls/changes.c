// Messages, and changes of the game's tags and comments in the output (language reference 10.3, 10.5, 10.7).
#include "runtime/match/imaginary.h"

typedef struct ChangesState {
    Buffer messages;
    bool dropping; // `drop` is in use in this game
    bool *drop;    // by positionid: leave out the original comment
    size_t drop_capacity;
    Tag *tag;
    int32_t tag_count;
    size_t tag_capacity;
} ChangesState;

static void changes_begin_game(Context *c)
{
    ChangesState *s = c->run->changes;
    s->messages.length = 0;
    s->dropping = false;
    s->tag_count = 0;
}

static void changes_result(Context *c, RunResult *result)
{
    const ChangesState *s = c->run->changes;
    result->drop_comment = s->dropping ? s->drop : NULL;
    result->set_tag = s->tag;
    result->set_tag_count = s->tag_count;
    result->messages = s->messages.start;
    result->messages_length = s->messages.length;
}

static void changes_release(Context *c)
{
    buffer_free(&c->run->changes->messages);
}

const Subject changes_subject = {.size = sizeof(ChangesState),
                                 .begin_game = changes_begin_game,
                                 .result = changes_result,
                                 .release = changes_release};

void rt_message(Context *c, int32_t n, String text, int32_t quiet)
{
    const RunOptions *o = &c->run->options;
    Buffer *b = &c->run->changes->messages;
    text = string_or_empty(text);
    if (b->length + text->length > c->run->options.memory)
        run_raise_memory(c);
    run_take_bytes(c, text->length);
    buffer_text(b, o->message_begin ? o->message_begin : "");
    if (!quiet)
        buffer_format(b, "Game: %d %s: ", (int)c->game->number, rt_text_position(c, n)->bytes);
    buffer_append(b, text->bytes, text->length);
    buffer_append(b, "\n", 1);
    buffer_text(b, o->message_end ? o->message_end : "");
}

void rt_remove_comment(Context *c, int32_t n)
{
    ChangesState *s = c->run->changes;
    if (c->run->options.no_remove_comment || is_imaginary(c, n))
        return;
    if (!s->dropping) {
        const size_t count = (size_t)c->game->count;
        s->drop = run_grow(c, s->drop, &s->drop_capacity, count, sizeof *s->drop);
        memset(s->drop, 0, count * sizeof *s->drop);
        s->dropping = true;
    }
    s->drop[n] = true;
}

static bool same_name(Text a, String b)
{
    return a.length == b->length && memcmp(a.start, b->bytes, a.length) == 0;
}

// Sets a tag, or removes it when `value` is TAG_REMOVED. After a removal, the same name is a new tag.
static void change_tag(Context *c, String name, Text value)
{
    ChangesState *s = c->run->changes;
    const bool removes = value.start == TAG_REMOVED.start;
    int32_t i = s->tag_count - 1;
    run_take_steps(c, 1 + (size_t)s->tag_count);
    run_take_bytes(c, name->length);
    while (i >= 0 && !same_name(s->tag[i].name, name))
        i--;
    if (i < 0 || removes != (s->tag[i].value.start == TAG_REMOVED.start)) {
        i = s->tag_count++;
        s->tag = run_grow(c, s->tag, &s->tag_capacity, (size_t)s->tag_count, sizeof *s->tag);
        s->tag[i].name = (Text){name->bytes, name->length};
    }
    s->tag[i].value = value;
}

void rt_set_tag(Context *c, String name, String value)
{
    value = string_or_empty(value);
    if (!c->run->options.no_settag)
        change_tag(c, string_or_empty(name), (Text){value->bytes, value->length});
}

void rt_remove_tag(Context *c, String name)
{
    if (!c->run->options.no_remove_tag)
        change_tag(c, string_or_empty(name), TAG_REMOVED);
}
