;;; cql-mode.el --- Queries in CQL, the Chess Query Language  -*- lexical-binding: t -*-

;; Version: @VERSION@
;; Package-Requires: ((emacs "26.1"))

;;; Commentary:

;; Colours for queries; the words are those of cqlgen.  With Eglot (a part of
;; Emacs from version 29 on), `M-x eglot' starts `cqlgen lsp', which shows
;; errors, completes words, and explains them.

;;; Code:

(defvar cql-mode-syntax-table
  (let ((table (make-syntax-table)))
    (modify-syntax-entry ?_ "w" table)
    (modify-syntax-entry ?$ "w" table)
    (modify-syntax-entry ?\" "\"" table)
    (modify-syntax-entry ?\\ "." table)
    (modify-syntax-entry ?\; "< b" table)
    (modify-syntax-entry ?/ ". 124b" table)
    (modify-syntax-entry ?* ". 23" table)
    (modify-syntax-entry ?\n "> b" table)
    table)
  "Syntax of queries.")

(defconst cql-mode-font-lock-keywords
  (list
   (cons (regexp-opt '("@transform@") 'symbols) 'font-lock-type-face)
   (cons (regexp-opt '("@filter@") 'symbols) 'font-lock-function-name-face)
   (cons (regexp-opt '("@word@") 'symbols) 'font-lock-keyword-face)
   (cons (regexp-opt '("@reserved@") 'symbols) 'font-lock-warning-face)
   (list (concat "\\(?:^\\|[ \t(]\\)\\([!~]?:" (regexp-opt '("@keyword@")) "\\)\\_>")
         1 'font-lock-function-name-face)
   (cons "\\_<[KQRBNPAkqrbnpa_]?[a-h]\\(?:-[a-h]\\)?[1-8]\\(?:-[1-8]\\)?\\_>" 'font-lock-constant-face)
   (cons "\\_<[KQRBNPAkqrbnpa_]\\_>" 'font-lock-constant-face))
  "Words of queries.")

;;;###autoload
(define-derived-mode cql-mode prog-mode "CQL"
  "Major mode for queries in CQL, the Chess Query Language."
  (setq-local comment-start "// ")
  (setq-local comment-end "")
  (setq-local comment-start-skip "\\(?://+\\|;+\\|/\\*+\\)[ \t]*")
  (setq-local font-lock-defaults '(cql-mode-font-lock-keywords)))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.cqls?\\'" . cql-mode))

(defvar eglot-server-programs)
(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs '(cql-mode . ("cqlgen" "lsp"))))

(provide 'cql-mode)

;;; cql-mode.el ends here
