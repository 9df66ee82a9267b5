/* main.c - start of the program: parse, call, render, turn a code into an exit status. */
#include "cli/cli.h"

int main(int argc, char **argv)
{
    return cn_cli_main(argc, argv, stdout, stderr);
}
