/*
 * data.h - the files of data/ as the build put them into the program.
 *
 * Sorted by name ("accelerators.yaml", "models/llama.yaml"); each text is followed by a NUL that
 * its length does not count. Made by embed.sh.
 */
#ifndef CARNOT_CATALOG_DATA_H
#define CARNOT_CATALOG_DATA_H

#include <stddef.h>

typedef struct cn_data_file {
    const char *name, *text;
    size_t len;
} cn_data_file;

extern const cn_data_file cn_data_files[];
extern const size_t cn_n_data_files;

#endif
