" Queries in the Chess Query Language.
autocmd BufNewFile,BufRead *.cql,*.cqls set filetype=cql
