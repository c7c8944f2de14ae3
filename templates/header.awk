# Makes cqlgen/matcher.h, the header that emitted C includes or contains.
#   awk -v layout=out/gen/layout.h -f header.awk templates/header.h
# Expands the project's includes (a path from the top, or a file of the same folder) in place, once each, and keeps the
# system's. The rows of calls.def become members of Runtime. layout.h is made from what this prints without `layout`.
BEGIN {
    expand(ARGV[1])
    exit failed
}

function folder_of(path)
{
    return match(path, /.*\//) ? substr(path, 1, RLENGTH) : ""
}

function expand(path,    line, name, folder, lines)
{
    folder = folder_of(path)
    while ((lines = (getline line < path)) > 0) {
        if (line ~ /^#(define|undef) CALL/)
            continue
        if (line ~ /^# *include *"/) {
            name = line
            sub(/^[^"]*"/, "", name)
            sub(/".*/, "", name)
            if (name !~ /\//)
                name = folder name
            if (name == "runtime/match/layout.h")
                name = layout
            if (name != "" && !(name in seen)) {
                seen[name] = 1
                expand(name)
            }
        } else if (line ~ /^CALL\(/) {
            print member(line)
        } else {
            print line
        }
    }
    if (lines < 0) {
        print "header.awk: cannot read " path > "/dev/stderr"
        failed = 1
    }
    close(path)
}

# CALL(name, result, parameters, facts, c_result, prototype, help) as a member of Runtime
function member(row,    name, result, prototype, help)
{
    name = row
    sub(/^CALL\(/, "", name)
    sub(/,.*/, "", name)
    match(row, /(PURE|GAME|EFFECT)[^,]*, *[A-Za-z0-9_]+, */)
    result = substr(row, RSTART, RLENGTH)
    prototype = substr(row, RSTART + RLENGTH)
    sub(/^[^,]*, */, "", result)
    sub(/, *$/, "", result)
    help = prototype
    sub(/\), *".*/, ")", prototype)
    sub(/^[^"]*"/, "", help)
    sub(/"\)[ \t]*$/, "", help)
    return "    " result " (*" name ")" prototype "; // " help
}
