" Syntax of the Chess Query Language. The words are those of cqlgen @VERSION@.
if exists('b:current_syntax')
  finish
endif

syntax match cqlVariable "\v\$?<[A-Za-z_][A-Za-z0-9_$]*>"
syntax match cqlNumber "\v<[0-9]+>"
syntax match cqlPieces "\v[.▦♔♕♖♗♘♙♚♛♜♝♞♟△▲◭□]"
syntax match cqlPieces "\v<[KQRBNPAkqrbnpa_]>"
syntax match cqlPieces "\v\[[KQRBNPAkqrbnpa_]+\]"
syntax match cqlPieces "\v(<[KQRBNPAkqrbnpa_]?|\[[KQRBNPAkqrbnpa_]+\])([a-h](-[a-h])?[1-8](-[1-8])?>|\[[a-h1-8,-]+\])"
syntax match cqlOperator "\v--|――|\[x\]|×|-\>|\<-|[→←∊∀≤≥≠≺≼≻≽∪∩⊢◎∙✵⬓#|&~+*/%<>=:?]"
syntax match cqlReserved "\v<(@reserved@)>"
syntax match cqlWord "\v<(@word@)>"
syntax match cqlFilter "\v<(@filter@)>"
syntax match cqlTransform "\v<(@transform@)>"
syntax match cqlKeyword "\v(^|[ \t(])@1<=[!~]?:(@keyword@)>"
syntax match cqlResult "\v<(1-0|0-1|1/2-1/2)>"
syntax region cqlString start=+"+ end=+"\|$+ oneline
syntax match cqlComment "\v(//|;).*$"
syntax match cqlWord "\v///(/)@!"
syntax region cqlComment start="/\*" end="\*/"

highlight default link cqlVariable Identifier
highlight default link cqlNumber Number
highlight default link cqlPieces Constant
highlight default link cqlOperator Operator
highlight default link cqlReserved Error
highlight default link cqlWord Keyword
highlight default link cqlFilter Function
highlight default link cqlTransform Type
highlight default link cqlKeyword Function
highlight default link cqlResult Constant
highlight default link cqlString String
highlight default link cqlComment Comment

let b:current_syntax = 'cql'
