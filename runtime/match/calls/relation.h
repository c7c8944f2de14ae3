// The echo transforms of `relation` (language reference 11.7), an argument of rt_echo_squares.
#ifndef CQL_RELATION_H
#define CQL_RELATION_H

enum EchoTransform {
    ECHO_FLIP, // all eight symmetries; the others leave out the identity
    ECHO_FLIPVERTICAL,
    ECHO_FLIPHORIZONTAL,
    ECHO_ROTATE90,
    ECHO_SHIFT, // from here on shifts
    ECHO_SHIFTHORIZONTAL,
    ECHO_SHIFTVERTICAL
};

#endif
