# Makes the interpreter's calls of the runtime from the rows of calls/*.def: one case a function. See calls.def for the letters.
# Operands are evaluated in order. `call_many` makes those calls that end with any number of sets.
BEGIN { FS = ", *" }

/^CALL\(/ {
    name = substr($1, 6)
    result = $2
    letters = $3
    gsub(/"/, "", letters)
    arguments = operands = ""
    explicit = many = 0
    for (i = 1; i <= length(letters); i++) {
        letter = substr(letters, i, 1)
        if (letter == "c") argument = "f->c"
        else if (letter == "p") argument = "f->p"
        else if (letter == "n") argument = "f->n"
        else if (letter == "v") {
            argument = "set, sets_of(f, ir, " explicit ", set)"
            many = 1
        } else if (letter == "I" || letter == "X") argument = "&out->i"
        else if (letter == "S") argument = "&out->s"
        else if (letter == "T") argument = "&out->t"
        else {
            argument = "k" explicit
            type = letter == "s" ? "Bitboard " : letter == "t" ? "String " : "int32_t "
            value = letter == "s" ? "set_of" : letter == "t" ? "text_of" : letter == "b" ? "test" : "number"
            operands = operands "const " type argument " = " value "(f, ir->kid[" explicit++ "]); "
        }
        arguments = arguments (i > 1 ? ", " : "") argument
    }
    if (length(letters) > 14) {
        print "calls.awk: " name " has too many parameters for ir_verify.c and emit_value.c" > "/dev/stderr"
        exit failed = 1
    }
    made = "rt->" name "(" arguments ")"
    if (result == "v") statement = made "; return (Slot){.i = 1};"
    else statement = "return (Slot){." (result == "s" || result == "t" ? result : "i") " = " made "};"
    line = "    case IR_CALL_" name ": { " operands statement " }\n"
    if (many) many_cases = many_cases line
    else cases = cases line
}

function define(name, sets, cases, otherwise) {
    print "static NEVER_INLINE Slot " name "(Frame *f, const Ir *ir)"
    print "{"
    print "    const Runtime *rt = f->c->rt;"
    if (sets)
        print "    Bitboard set[ir->kid_count + 1];"
    else
        print "    Slot unused = {0}, *out = ir->out >= 0 ? &f->local[ir->out] : &unused;"
    print "    switch (ir->number) {"
    printf "%s", cases
    print "    default: return " otherwise ";"
    print "    }"
    print "}"
}

END {
    if (failed) exit 1
    define("call_many", 1, many_cases, "(Slot){0}")
    print ""
    define("call", 0, cases, "call_many(f, ir)")
}
