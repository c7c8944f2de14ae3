#!/bin/sh
# Compiles an example query to a shared object, searches the example games with it, and makes a page with diagrams.
#
#     sh examples/demo.sh PROGRAM
set -eu
cqlgen=${1:-out/cqlgen}
page=$(dirname "$cqlgen")/demo.html
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
show() {
    echo "\$ $*"
}
show cat examples/greek-gift.cql
cat examples/greek-gift.cql
echo
show cqlgen examples/greek-gift.cql -o greek-gift.so
"$cqlgen" examples/greek-gift.cql -o "$folder/greek-gift.so"
show cqlgen search greek-gift.so examples/games.pgn
"$cqlgen" search "$folder/greek-gift.so" examples/games.pgn 2>&1
echo
show cat examples/queen-sacrifice.cql
cat examples/queen-sacrifice.cql
echo
show cqlgen search examples/queen-sacrifice.cql examples/games.pgn -o "$page"
"$cqlgen" search examples/queen-sacrifice.cql examples/games.pgn -o "$page" 2>&1
echo
echo "Open $page in a browser to see a diagram of each sacrifice."
echo "Or write queries, count and explore in a browser: $cqlgen serve examples/games.pgn"
