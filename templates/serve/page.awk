# Puts the page of `cqlgen serve` together: lines of page.html such as `%style` become the files that the variable of that name
# lists, without their indentation and their comments but those about copyright. words: the language table, for the words that the editor colours.
function put(name, kind,   line) {
    while ((getline line < name) > 0) {
        sub(/^[ \t]+/, "", line)
        if (line == "" || (kind == "css" ? line ~ /^\/\*.*\*\/$/ : line ~ /^\/\// && line !~ /copyright|license/))
            continue
        if (line ~ /@WORDS@/)
            sub(/@WORDS@/, language(), line)
        print line
    }
    close(name)
}
function put_all(names, kind,   file, n, i) {
    n = split(names, file, " ")
    for (i = 1; i <= n; i++)
        put(file[i], kind)
}
# The words of the language, once each.
function language(   line, part, list, seen) {
    while ((getline line < words) > 0)
        if (line ~ /^[A-Z0-9_]+\(/ && line !~ /^(STRUCTURE|CQL3)/ && split(line, part, "\"") > 2 && part[2] ~ /^[a-z][a-z0-9]*$/ && !(part[2] in seen)) {
            seen[part[2]] = 1
            list = list (list == "" ? "" : " ") part[2]
        }
    close(words)
    return list
}
# The pieces that all boards of the page use.
function put_pieces(   line, part) {
    print "<svg width='0' height='0' class='hidden' aria-hidden='true'><defs>"
    printf "<g id='squares'><path class='light' d='M0 0h360v360h-360z'/><path class='dark' d='"
    for (i = 0; i < 64; i++)
        if ((i + int(i / 8)) % 2)
            printf "M%d %dh45v45h-45z", i % 8 * 45, int(i / 8) * 45
    print "'/></g>"
    while ((getline line < pieces) > 0)
        if (line ~ /^PIECE/) {
            split(line, part, "\"")
            print "<g id='" substr(line, 8, 1) "'>" part[2] "</g>"
        }
    print "</defs></svg>"
}
/^%style$/ { put_all(style, "css"); next }
/^%codemirror$/ { put_all(codemirror, "js"); next }
/^%player$/ { put_all(player, "js"); next }
/^%script$/ { put_all(script, "js"); next }
/^%pieces$/ { put_pieces(); next }
{ sub(/^[ \t]+/, ""); if ($0 != "") print }
