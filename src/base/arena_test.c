/* arena_test.c - what is handed out is aligned, empty, apart from the rest, and ends at the limit.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/rng.h"

enum { SEEDS = 200, PIECES = 64 };

/* Each piece is filled with its own byte: if two overlapped, one would lose its fill. */
static void pieces_never_overlap(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        cn_rng r;
        cn_arena a;
        unsigned char *piece[PIECES];
        size_t size[PIECES];
        cn_rng_seed(&r, seed);
        cn_arena_init(&a, 0);
        for (int i = 0; i < PIECES; i++) {
            size[i] = cn_rng_below(&r, cn_rng_below(&r, 8) ? 200 : 40000);
            piece[i] = cn_arena_alloc(&a, size[i]);
            assert_non_null(piece[i]);
            assert_int_equal((uintptr_t)piece[i] % _Alignof(max_align_t), 0);
            for (size_t k = 0; k < size[i]; k++)
                if (piece[i][k] != 0)
                    fail_msg("seed %llu: piece %d is not empty", (unsigned long long)seed, i);
            memset(piece[i], i + 1, size[i]);
        }
        for (int i = 0; i < PIECES; i++)
            for (size_t k = 0; k < size[i]; k++)
                if (piece[i][k] != i + 1)
                    fail_msg("seed %llu: piece %d was overwritten", (unsigned long long)seed, i);
        cn_arena_free(&a);
    }
}

static void the_limit_holds(void **state)
{
    (void)state;
    cn_arena a;
    cn_arena_init(&a, 1000);
    assert_non_null(cn_arena_alloc(&a, 900));
    assert_null(cn_arena_alloc(&a, 200));
    assert_non_null(cn_arena_alloc(&a, 50)); /* what still fits is still given */
    assert_true(a.used_bytes <= 1000);
    cn_arena_free(&a);
    assert_int_equal(a.used_bytes, 0);
    assert_int_equal(a.limit_bytes, 1000);
    assert_non_null(cn_arena_alloc(&a, 900));
    cn_arena_free(&a);
}

static void sizes_that_no_memory_has(void **state)
{
    (void)state;
    cn_arena a;
    cn_arena_init(&a, 0);
    assert_null(cn_arena_alloc(&a, SIZE_MAX));
    assert_null(cn_arena_array(&a, SIZE_MAX / 8 + 2, 8)); /* wraps to 8 bytes if multiplied */
    assert_null(cn_arena_strn(&a, "", SIZE_MAX));
    assert_non_null(cn_arena_array(&a, 0, 8));
    assert_non_null(cn_arena_array(&a, 8, 0));
    cn_arena_free(&a);
}

static void reset_uses_the_newest_block_again(void **state)
{
    (void)state;
    cn_arena a;
    cn_arena_init(&a, 0);
    cn_arena_reset(&a); /* of nothing */
    for (int i = 0; i < 100; i++)
        assert_non_null(cn_arena_alloc(&a, 1000));
    cn_arena_reset(&a);
    assert_int_equal(a.used_bytes, 0);
    cn_alloc_fail_at(1); /* so the next piece must come from the block that was kept */
    char *p = cn_arena_alloc(&a, 1000);
    cn_alloc_fail_at(0);
    assert_non_null(p);
    for (int i = 0; i < 1000; i++)
        assert_int_equal(p[i], 0);
    cn_arena_free(&a);
}

static void texts(void **state)
{
    (void)state;
    cn_arena a;
    cn_arena_init(&a, 0);
    assert_string_equal(cn_arena_str(&a, "abc"), "abc");
    assert_null(cn_arena_str(&a, NULL));
    assert_string_equal(cn_arena_strn(&a, "abc", 2), "ab");
    assert_memory_equal(cn_arena_strn(&a, "a\0b", 3), "a\0b", 4);
    assert_string_equal(cn_arena_printf(&a, "%d-%s", 7, "x"), "7-x");
    char *wide = cn_arena_printf(&a, "%20000d", 1);
    assert_int_equal(strlen(wide), 20000);
    cn_arena_free(&a);
}

static void the_nth_allocation_fails_and_only_that(void **state)
{
    (void)state;
    for (long n = 1; n <= 3; n++) {
        cn_arena a;
        int failed = 0;
        cn_arena_init(&a, 0);
        cn_alloc_fail_at(n);
        for (int i = 0; i < 3; i++) /* each needs a block of its own */
            failed += cn_arena_alloc(&a, (size_t)5 << 20) == NULL ? i + 1 : 0;
        cn_alloc_fail_at(0);
        assert_int_equal(failed, n);
        cn_arena_free(&a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_never_overlap),
        cmocka_unit_test(the_limit_holds),
        cmocka_unit_test(sizes_that_no_memory_has),
        cmocka_unit_test(reset_uses_the_newest_block_again),
        cmocka_unit_test(texts),
        cmocka_unit_test(the_nth_allocation_fails_and_only_that),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
