#include "export.h"

EXPORT_API
int first(int a)
{
    BEGIN_GUARD
    return a + 1;
    END_GUARD
}

int second(int b)
{
    return first(b);
}

Q_DECLARE_PRIVATE int third(int c) NOEXCEPT_IF
{
    UNUSED(c)
    return second(c);
}
