/*
 * replay.c - run a fuzz target over its corpus without a fuzzer, and say so in TAP.
 *
 *     fuzz_tree_replay fuzz/corpus/tree [more folders or files]
 *
 * Every file of the named folders is one case; so is the empty input. A case passes when the target
 * comes back: the sanitizers of the build turn a fault into the death of the program, which the
 * harness counts as a failure. Files are taken in name order, so a failing run can be repeated.
 */
#include <dirent.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MAX_INPUT_BYTES = 16 << 20 };

static int n_cases, n_bad;

static void verdict(int good, const char *name, const char *why)
{
    n_cases++;
    n_bad += !good;
    printf("%sok %d - %s%s%s\n", good ? "" : "not ", n_cases, name, why ? ": " : "",
           why ? why : "");
    fflush(stdout); /* the next case may be the program's last */
}

static void run_file(const char *path)
{
    FILE *f = fopen(path, "rb");
    if (!f) {
        verdict(0, path, strerror(errno));
        return;
    }
    uint8_t *data = malloc(MAX_INPUT_BYTES);
    size_t size = data ? fread(data, 1, MAX_INPUT_BYTES, f) : 0;
    fclose(f);
    /* An exact copy: reading one byte too far then is a fault the sanitizer sees. */
    uint8_t *exact = malloc(size ? size : 1);
    if (data && exact) {
        memcpy(exact, data, size);
        LLVMFuzzerTestOneInput(exact, size);
    }
    verdict(data && exact, path, data && exact ? NULL : "out of memory");
    free(exact);
    free(data);
}

static int is_visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static void run_path(const char *path)
{
    struct stat st;
    if (stat(path, &st) != 0)
        return; /* a target may have no corpus yet */
    if (!S_ISDIR(st.st_mode)) {
        run_file(path);
        return;
    }
    struct dirent **list = NULL;
    int n = scandir(path, &list, is_visible, alphasort);
    for (int i = 0; i < n; i++) {
        char name[4096];
        snprintf(name, sizeof name, "%s/%s", path, list[i]->d_name);
        run_file(name);
        free(list[i]);
    }
    free(list);
}

int main(int argc, char **argv)
{
    uint8_t nothing = 0;
    LLVMFuzzerTestOneInput(&nothing, 0);
    verdict(1, "empty input", NULL);
    for (int i = 1; i < argc; i++)
        run_path(argv[i]);
    printf("1..%d\n", n_cases);
    return n_bad != 0;
}
