# Makes templates.c: the texts that the C emitter needs, as C strings.
#   awk -f embed.awk FILE...   the matcher's headers (with their includes expanded) and the templates
# A text is named after its file. Includes of the project (a path from the top, or a file of the same folder) are
# expanded in place, once; those of the system are left out. The rows of calls.def become members of Runtime.
BEGIN {
    print "// The C that emitted matchers are made of. Generated from the files named below."
    print "#include \"compiler/back/template.h\""
    for (i = 1; i < ARGC; i++)
        embed(ARGV[i])
    exit 0
}

function folder_of(path)
{
    return match(path, /.*\//) ? substr(path, 1, RLENGTH) : ""
}

function embed(path,    name)
{
    name = path
    sub(/.*\//, "", name)
    sub(/\.[a-z]*$/, "", name)
    delete seen
    printf "\n// %s\nconst char template_%s[] =\n", path, name
    expand(path)
    print "    \"\";"
}

function expand(path,    line, name, folder, lines)
{
    folder = folder_of(path)
    while ((lines = (getline line < path)) > 0) {
        if (line ~ /^# *include *</ || line ~ /^#(define|undef) CALL/)
            continue
        if (line ~ /^# *include *"/) {
            name = line
            sub(/^[^"]*"/, "", name)
            sub(/".*/, "", name)
            if (name !~ /\//)
                name = folder name
            if (!(name in seen)) {
                seen[name] = 1
                expand(name)
            }
        } else if (line ~ /^CALL\(/) {
            emit(member(line))
        } else {
            emit(line)
        }
    }
    if (lines < 0) {
        print "embed.awk: cannot read " path > "/dev/stderr"
        exit 1
    }
    close(path)
}

# CALL(name, result, parameters, effect, c_result, prototype, help) as a member of Runtime
function member(row,    name, result, prototype, help)
{
    name = row
    sub(/^CALL\(/, "", name)
    sub(/,.*/, "", name)
    match(row, /(PURE|GAME|EFFECT), *[A-Za-z0-9_]+, */)
    result = substr(row, RSTART, RLENGTH)
    prototype = substr(row, RSTART + RLENGTH)
    sub(/^[A-Z]*, */, "", result)
    sub(/, *$/, "", result)
    help = prototype
    sub(/\), *".*/, ")", prototype)
    sub(/^[^"]*"/, "", help)
    sub(/"\)[ \t]*$/, "", help)
    return "    " result " (*" name ")" prototype "; // " help
}

function emit(line)
{
    gsub(/\\/, "&&", line)
    gsub(/"/, "\\\"", line)
    print "    \"" line "\\n\""
}
