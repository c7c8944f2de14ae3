// Found games on their way from the threads of a search to the caller: bytes, and CqlGame again.
#ifndef CQL_API_PARCEL_H
#define CQL_API_PARCEL_H

#include "cqlgen.h"
#include "runtime/format/format.h"
#include "runtime/value/buffer.h"

// Appends a parcel for each query that found the game. `want`: CQL_WANT_.
void parcel_write(Buffer *out, const FoundGame *g, FormatMemory *m, uint32_t want);

// Reads parcels; initialised to zero. The last game that was read points into it and into the bytes of the parcels.
typedef struct ParcelReader {
    CqlGame game;
    CqlTag *tag;
    CqlHit *hit;
    const CqlHit **hits; // pointers to them
    CqlSort *sort;
    CqlNote *note;
    size_t tag_capacity, hit_capacity, hits_capacity, sort_capacity, note_capacity;
} ParcelReader;

// Reads the parcel at *next and moves *next past it.
void parcel_read(ParcelReader *r, const char **next);
void parcel_reader_free(ParcelReader *r);

#endif
