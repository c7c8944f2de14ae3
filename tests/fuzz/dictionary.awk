# Makes a dictionary for libFuzzer and AFL++ of tables (*.def): the words in quotes that they contain, once each. The names of
# options are written as on a command line.
#
# usage: LC_ALL=C awk -f dictionary.awk TABLE...
BEGIN { for (i = 128; i < 256; i++) code[sprintf("%c", i)] = i }

function escaped(word, out, i, c)
{
    out = ""
    for (i = 1; i <= length(word); i++) {
        c = substr(word, i, 1)
        out = out (c in code ? sprintf("\\x%02X", code[c]) : c)
    }
    return out
}

function add(word)
{
    if (word != "" && word !~ /@[0-9a-z]/ && length(word) <= 24 && !(word in seen))
        printf "\"%s\"\n", escaped(word)
    seen[word] = 1
}

/^OPTION\(/ {
    split($0, part, "\"")
    count = split(part[2], name, " ")
    for (i = 1; i <= count; i++)
        add((length(name[i]) == 1 ? "-" : "--") name[i])
    next
}

/^[A-Z][A-Z0-9_]*\(/ {
    row = $0
    while (match(row, /"([^"\\]|\\.)*"/)) {
        word = substr(row, RSTART + 1, RLENGTH - 2)
        row = substr(row, RSTART + RLENGTH)
        if (word !~ / /)
            add(word)
    }
}
