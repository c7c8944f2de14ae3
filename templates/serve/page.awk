# Puts the page of `cqlgen serve` together: lines of page.html such as `%style` become the files that the variable of that name
# lists, without their indentation and their comments but those about copyright.
function put(name, kind,   line) {
    while ((getline line < name) > 0) {
        sub(/^[ \t]+/, "", line)
        if (line == "" || (kind == "css" ? line ~ /^\/\*.*\*\/$/ : line ~ /^\/\// && line !~ /copyright|license/))
            continue
        print line
    }
    close(name)
}
function put_all(names, kind,   file, n, i) {
    n = split(names, file, " ")
    for (i = 1; i <= n; i++)
        put(file[i], kind)
}
/^%style$/ { put_all(style, "css"); next }
/^%codemirror$/ { put_all(codemirror, "js"); next }
/^%player$/ { put_all(player, "js"); next }
/^%script$/ { put_all(script, "js"); next }
{ sub(/^[ \t]+/, ""); if ($0 != "") print }
