# Makes the interpreter's dispatch from the rows of calls/*.def: one case a runtime function. See calls.def for the letters.
#   a[] the explicit arguments, set/set_count those of a final 'v', out the cell of a result through a pointer, r the result
BEGIN { FS = ", *" }

/^CALL\(/ {
    name = substr($1, 6)
    result = $2
    letters = $3
    gsub(/"/, "", letters)
    arguments = ""
    explicit = 0
    for (i = 1; i <= length(letters); i++) {
        letter = substr(letters, i, 1)
        if (letter == "c") argument = "f->c"
        else if (letter == "p") argument = "f->p"
        else if (letter == "n") argument = "f->n"
        else if (letter == "v") argument = "set, set_count"
        else if (letter == "I" || letter == "X") argument = "&out->i"
        else if (letter == "S") argument = "&out->s"
        else if (letter == "T") argument = "&out->t"
        else argument = "a[" explicit++ "]." (letter == "s" ? "s" : letter == "t" ? "t" : "i")
        arguments = arguments (i > 1 ? ", " : "") argument
    }
    if (length(letters) > 14) {
        print "calls.awk: " name " has too many parameters for ir_verify.c and emit_value.c" > "/dev/stderr"
        exit failed = 1
    }
    if (explicit > most) most = explicit
    call = "rt->" name "(" arguments ")"
    if (result == "v") statement = call "; r->i = 1"
    else if (result == "s" || result == "t") statement = "r->" result " = " call
    else statement = "r->i = " call
    cases = cases "    case IR_CALL_" name ": " statement "; break;\n"
}

END {
    if (failed) exit 1
    print "enum { MOST_ARGUMENTS = " most + 0 " };"
    print ""
    print "static void dispatch(const Frame *f, int32_t number, const Slot *a, const Bitboard *set, int32_t set_count, Slot *out,"
    print "                     Slot *r)"
    print "{"
    print "    const Runtime *rt = f->c->rt;"
    print "    switch (number) {"
    printf "%s", cases
    print "    default: r->i = 0;"
    print "    }"
    print "    (void)set, (void)set_count, (void)out;"
    print "}"
}
