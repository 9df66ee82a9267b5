/* lang.c - translations embedded in the program, found by binary search. */
#include <stdlib.h>
#include <string.h>

#include "base/lang.h"
#include "base/lang_table.h"

static bool is_zh;

const char *cn_lang_text(const char *english)
{
    if (!is_zh)
        return english;
    size_t lo = 0, hi = cn_lang_zh_n;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        int c = strcmp(english, cn_lang_zh[mid].english);
        if (c == 0)
            return cn_lang_zh[mid].text;
        if (c < 0)
            hi = mid;
        else
            lo = mid + 1;
    }
    return english;
}

bool cn_lang_set(const char *lang)
{
    bool zh = strncmp(lang, "zh", 2) == 0, en = strncmp(lang, "en", 2) == 0;
    if (zh || en || strcmp(lang, "C") == 0 || strcmp(lang, "POSIX") == 0)
        is_zh = zh;
    return zh || en;
}

const char *cn_lang_from_env(void)
{
    static const char *const names[] = {"LC_ALL", "LC_MESSAGES", "LANG"};
    for (int i = 0; i < 3; i++) {
        const char *v = getenv(names[i]);
        if (v && *v)
            return strncmp(v, "zh", 2) == 0 ? "zh_CN" : "en";
    }
    return "en";
}
