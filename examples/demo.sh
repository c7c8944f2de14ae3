#!/bin/sh
# Compiles an example query to a shared object and searches the example games with it.
#
#     sh examples/demo.sh PROGRAM
set -eu
cqlgen=${1:-out/cqlgen}
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
"$cqlgen" search "$folder/greek-gift.so" examples/games.pgn
