/* lang_test.c - the embedded table is sorted as it is searched, and every text in it is found. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/lang.h"
#include "base/lang_table.h"
#include "base/text.h"

/* Tests choose the language by name; formats are not literals here and are never printed. */
static const char *text_of(const char *english)
{
    return cn_lang_text(english);
}

static int back_to_english(void **state)
{
    (void)state;
    return cn_lang_set("en") ? 0 : -1;
}

static void every_text_is_found(void **state)
{
    (void)state;
    assert_true(cn_lang_zh_n > 0);
    assert_true(cn_lang_set("zh_CN"));
    for (size_t i = 0; i < cn_lang_zh_n; i++) {
        const cn_lang_entry *e = &cn_lang_zh[i];
        if (i > 0 && strcmp(cn_lang_zh[i - 1].english, e->english) >= 0)
            fail_msg("\"%s\" stands behind \"%s\"", e->english, cn_lang_zh[i - 1].english);
        if (text_of(e->english) != e->text)
            fail_msg("\"%s\" is not found", e->english);
        assert_true(e->text[0] != 0 && cn_utf8_valid(e->text, strlen(e->text), NULL));
    }
    assert_string_equal(_("weights"), "\xe6\x9d\x83\xe9\x87\x8d");
}

static void unknown_texts_stay_english(void **state)
{
    (void)state;
    static const char *const texts[] = {"", "no such text", "weight", "weightsx", "\xff", "~"};
    assert_true(cn_lang_set("zh_CN"));
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_ptr_equal(text_of(texts[i]), texts[i]);
    assert_true(cn_lang_set("en"));
    assert_string_equal(_("weights"), "weights");
    assert_string_equal(N_("weights"), "weights");
}

static void names_of_languages(void **state)
{
    (void)state;
    assert_true(cn_lang_set("zh_CN"));
    assert_true(cn_lang_set("zh"));
    assert_false(cn_lang_set("fr")); /* and the language stays */
    assert_string_not_equal(_("weights"), "weights");
    assert_true(cn_lang_set("en_GB.UTF-8"));
    assert_string_equal(_("weights"), "weights");
    cn_lang_set("zh");
    cn_lang_set("C");
    assert_string_equal(_("weights"), "weights");
}

static void from_the_environment(void **state)
{
    (void)state;
    static const struct {
        const char *all, *messages, *lang, *want;
    } row[] = {
        {NULL, NULL, NULL, "en"},
        {NULL, NULL, "zh_CN.UTF-8", "zh_CN"},
        {NULL, "C", "zh_CN.UTF-8", "en"},
        {"zh_CN", "C", "en_US", "zh_CN"},
        {"", "", "zh_CN", "zh_CN"}, /* empty is as good as unset */
        {"de_DE.UTF-8", NULL, "zh_CN", "en"},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const char *const value[] = {row[i].all, row[i].messages, row[i].lang};
        static const char *const name[] = {"LC_ALL", "LC_MESSAGES", "LANG"};
        for (int k = 0; k < 3; k++) {
            if (value[k])
                setenv(name[k], value[k], 1);
            else
                unsetenv(name[k]);
        }
        assert_string_equal(cn_lang_from_env(), row[i].want);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(every_text_is_found, back_to_english),
        cmocka_unit_test_teardown(unknown_texts_stay_english, back_to_english),
        cmocka_unit_test_teardown(names_of_languages, back_to_english),
        cmocka_unit_test(from_the_environment),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
