/* coll_test.c - collectives against hand-worked numbers, and their laws. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/rng.h"
#include "model/coll.h"

static cn_device device(void)
{
    cn_device d = {0};
    cn_eff_default(&d.eff);
    d.eff.scale_up_ratio = d.eff.scale_out_ratio = d.eff.a2a_ratio = 1;
    d.eff.scale_up_hop_s = d.eff.scale_out_hop_s = 0;
    return d;
}

static cn_fabric fabric(void)
{
    cn_fabric f = {.domain = 8, .per_node = 8};
    f.bytes_per_s[CN_TIER_NODE] = 400e9;
    f.bytes_per_s[CN_TIER_RAIL] = 50e9;
    return f;
}

static void ring(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double ranks, stride, bytes, want_s;
    } row[] = {
        {"one rank costs nothing", 1, 1, 1e9, 0},
        {"8 ranks in a node: 2 x 7/8 x n / 400 GB/s", 8, 1, 1e9, 2 * 7.0 / 8 * 1e9 / 400e9},
        {"one rank a node, 4 nodes: the NIC", 4, 8, 1e9, 2 * 3.0 / 4 * 1e9 / 50e9},
        {"2 ranks a node, 8 ranks: two NICs", 8, 4, 1e9, 2 * 7.0 / 8 * 1e9 / 100e9},
        {"whole nodes, 32 ranks: eight NICs", 32, 1, 1e9, 2 * 31.0 / 32 * 1e9 / 400e9},
    };
    cn_device d = device();
    cn_fabric f = fabric();
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        cn_group g = cn_group_of(&d, &f, row[i].ranks, row[i].stride);
        double got = cn_allreduce_s(&g, row[i].bytes);
        if (fabs(got - row[i].want_s) > 1e-12 + 1e-9 * row[i].want_s)
            fail_msg("%s: got %.9g, want %.9g", row[i].name, got, row[i].want_s);
        assert_true(fabs(2 * cn_gather_s(&g, row[i].bytes) - got) <= 1e-12);
    }
}

/* All-to-all of 16 ranks over 2 nodes: half leaves by the own NIC, the slower link decides. */
static void all_to_all(void **state)
{
    (void)state;
    cn_device d = device();
    cn_fabric f = fabric();
    cn_group g = cn_group_of(&d, &f, 16, 1);
    assert_true(fabs(cn_alltoall_s(&g, 1e9) - 8.0 / 16 * 1e9 / 50e9) < 1e-12);
    g = cn_group_of(&d, &f, 8, 1);
    assert_true(fabs(cn_alltoall_s(&g, 1e9) - 7.0 / 8 * 1e9 / 400e9) < 1e-12);
}

static void latency_alone(void **state)
{
    (void)state;
    cn_device d = device();
    cn_fabric f = fabric();
    d.eff.scale_up_hop_s = 10e-6;
    cn_group g = cn_group_of(&d, &f, 8, 1);
    assert_true(cn_allreduce_s(&g, 0) >= 20e-6);
    assert_true(cn_allreduce_s(&g, 0) < 60e-6);
}

/* A group crosses the nearest tier that reaches it: racks, zones and regions in turn (M-46). */
static void far_tiers(void **state)
{
    (void)state;
    cn_device d = device();
    cn_fabric f = fabric();
    f.devices[CN_TIER_RAIL] = 64;
    f.bytes_per_s[CN_TIER_ZONE] = 5e9;
    f.devices[CN_TIER_ZONE] = 1024;
    f.bytes_per_s[CN_TIER_REGION] = 1e9;
    double last = 0;
    const double ranks[] = {8, 64, 512, 4096};
    for (int i = 0; i < 4; i++) {
        cn_group g = cn_group_of(&d, &f, ranks[i], 1);
        double s = cn_allreduce_s(&g, 1e9);
        assert_true(s > last);
        last = s;
    }
}

static void more_bytes_never_faster(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 1000; seed++) {
        cn_rng r;
        cn_rng_seed(&r, seed);
        cn_device d = device();
        cn_fabric f = fabric();
        d.eff.scale_out_hop_s = 20e-6;
        double ranks = (double)(1 + cn_rng_below(&r, 512)),
               stride = (double)(1 + cn_rng_below(&r, 16));
        double bytes = cn_rng_unit(&r) * 1e9;
        cn_group g = cn_group_of(&d, &f, ranks, stride);
        bool ok = cn_allreduce_s(&g, bytes * 2) >= cn_allreduce_s(&g, bytes) &&
                  cn_gather_s(&g, bytes * 2) >= cn_gather_s(&g, bytes) &&
                  cn_alltoall_s(&g, bytes * 2) >= cn_alltoall_s(&g, bytes) &&
                  cn_p2p_s(&g, bytes * 2) >= cn_p2p_s(&g, bytes);
        if (!ok)
            fail_msg("seed %llu: ranks %g stride %g", (unsigned long long)seed, ranks, stride);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ring),
        cmocka_unit_test(all_to_all),
        cmocka_unit_test(latency_alone),
        cmocka_unit_test(far_tiers),
        cmocka_unit_test(more_bytes_never_faster),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
