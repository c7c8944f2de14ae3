// The language server: the Language Server Protocol 3.17 over two descriptors, for queries in editors.
#ifndef CQL_EDITOR_LSP_H
#define CQL_EDITOR_LSP_H

#include <stdbool.h>

// False: this program was built without the library that the server needs.
bool lsp_is_built(void);

// Serves one client until it says `exit` or `in` ends. Broken frames and messages are answered with errors, as far as that is
// possible, and skipped. Returns false when `out` cannot be written, or the client leaves without `shutdown`.
bool lsp_serve(int in, int out);

#endif
