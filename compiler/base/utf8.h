// Characters on a terminal.
#ifndef CQL_UTF8_H
#define CQL_UTF8_H

#include <stdint.h>

// Columns that the character takes on a terminal: 0, 1 or 2. Approximate: common combining marks, East Asian
// blocks.
int utf8_width(uint32_t character);

#endif
