// The one function of <wchar.h> that the tool needs. Swift's own module of the C library leaves that header out, and
// glibc declares the function only when asked for X/Open's extensions.

#ifndef SQUALL_WIDE_CHARACTER_H
#define SQUALL_WIDE_CHARACTER_H

#include <stddef.h>

// The number of columns that a character takes up on a terminal, or -1.
int wcwidth(wchar_t character);

#endif
