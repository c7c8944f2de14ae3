# Puts the words of the language into the syntax file of an editor: awk -v between='|' -v version=V -f fill.awk WORDS TEMPLATE.
# WORDS has lines `KIND WORD`; in TEMPLATE, @KIND@ becomes the words of this kind, separated by `between`, and @VERSION@ the version.
FNR == NR {
    words[$1] = words[$1] (words[$1] == "" ? "" : between) $2
    next
}
{
    for (kind in words)
        while (at = index($0, "@" kind "@"))
            $0 = substr($0, 1, at - 1) words[kind] substr($0, at + length(kind) + 2)
    sub(/@VERSION@/, version)
    print
}
