/* main.c - start of the program: parse, call, render, turn a code into an exit status. */
#include "base/ctx.h"

int main(void)
{
    return 0;
}
