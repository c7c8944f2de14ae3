# Makes the C table of the shipped queries from subjects.txt, whose lines are `SUBJECT: NAME NAME ...`.
# The names are in the order of the list; NAME.cql is in the same folder.
function quoted(line) {
    gsub(/\\/, "\\\\", line)
    gsub(/"/, "\\\"", line)
    return "     \"" line "\\n\"\n"
}
BEGIN {
    print "#include \"compiler/cli/examples.h\""
    print "const Example example_list[] = {"
}
{
    folder = FILENAME
    sub(/[^\/]*$/, "", folder)
    subject = substr($0, 1, index($0, ":") - 1)
    split(substr($0, length(subject) + 2), name, " ")
    for (i = 1; i in name; i++) {
        file = folder name[i] ".cql"
        text = ""
        while ((got = (getline line < file)) > 0)
            text = text quoted(line)
        close(file)
        if (text == "" || got < 0) {
            print file ": no such query" >"/dev/stderr"
            exit failed = 1
        }
        printf "    {\"%s\", \"%s\", EXAMPLE_FOLDER \"%s.cql\",\n%s    },\n", subject, name[i], name[i], text
    }
}
END {
    if (failed)
        exit 1
    print "};\nconst int example_count = sizeof example_list / sizeof *example_list;"
}
