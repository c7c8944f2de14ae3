// When a search ends before the last game.
#include "ending.h"

bool ending_is_late(double deadline)
{
    return deadline != 0 && clock_now() >= deadline;
}

bool ending_stopped(const Ending *ending)
{
    return ending->stop && *ending->stop;
}

bool ending_reached(const Ending *ending)
{
    return atomic_load_explicit(&ending->complete, memory_order_relaxed) || ending_stopped(ending) ||
           ending_is_late(ending->deadline);
}
