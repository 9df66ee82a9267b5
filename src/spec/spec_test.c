/* spec_test.c - specs and other tools' settings: what is read, and what is told of faults. M-01
 * M-02 M-04. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/buf.h"
#include "spec/spec_parts.h"

/* Specs are read from files: each test writes its own beside the others. */
static const char *write_file(cn_ctx *cx, const char *name, const char *text)
{
    const char *dir = getenv("TMPDIR");
    char *path = cn_arena_printf(&cx->arena, "%s/carnot-spec-%ld-%s", dir ? dir : "/tmp",
                                 (long)getpid(), name);
    assert_int_equal(cn_file_write(cx, path, text, strlen(text)), CN_OK);
    return path;
}

static cn_code read_text(cn_ctx *cx, const char *name, const char *text, cn_spec **out)
{
    cn_catalog *cat;
    cn_ctx_init(cx, 1796083200);
    assert_int_equal(cn_catalog_load(cx, NULL, &cat), CN_OK);
    const char *path = write_file(cx, name, text);
    cn_code code = cn_spec_read(cx, cat, path, NULL, 0, out);
    unlink(path);
    return code;
}

static cn_spec *good(cn_ctx *cx, const char *name, const char *text)
{
    cn_spec *s = NULL;
    if (read_text(cx, name, text, &s) != CN_OK)
        fail_msg("%s:%d: %s", cx->problem[0].at.file, cx->problem[0].at.line,
                 cx->problem[0].message);
    return s;
}

static const char contract[] =
    "name: llama3-8b-pretrain\nkind: training\nmodel: llama-3.1-8b\n"
    "data: {tokens: 15T, stored: 60 TB, bytes_per_sample: 4 B, location: same-zone}\n"
    "training: {sequence: 8192, global_batch: 1024, precision: bf16, optimizer: adamw, recompute: "
    "auto, method: full}\n"
    "cluster: {node: aws/p5.48xlarge, accelerators: 512, parallel: auto}\n"
    "purchase: {mode: auto, reserved: 0, spot: auto}\n"
    "checkpoint: {every: auto, keep_last: 3, keep_every: 10000 steps}\n"
    "storage: {}\nnetwork: {}\ndatabase: {}\nobservability: {}\noperations: {}\n"
    "limits: {deadline: 30d, budget: 2M USD, availability: 99%}\n";

static void contract_example(void **state)
{
    (void)state;
    cn_ctx cx;
    cn_spec *s = good(&cx, "contract.yaml", contract);
    assert_string_equal(s->name, "llama3-8b-pretrain");
    assert_true(s->data.tokens == 15e12 && s->data.stored_bytes == 60e12 &&
                s->training.sequence == 8192);
    assert_true(s->training.global_batch == 1024 && s->cluster.accelerators == 512);
    assert_int_equal(s->training.precision, CN_PREC_BF16);
    assert_int_equal(s->training.recompute, -1);
    assert_true(s->cluster.is_auto_layout);
    assert_true(s->purchase.reserved_ratio == 0 && isnan(s->purchase.spot_ratio));
    assert_true(s->limits.deadline_s == 30 * 86400.0 && s->limits.budget == 2e6);
    assert_string_equal(s->limits.budget_currency, "USD");
    assert_true(s->limits.availability_ratio == 0.99 && isnan(s->checkpoint.every_s));
    assert_string_equal(s->cluster.accel->generation, "hopper");
    cn_ctx_done(&cx);
}

static void layouts_and_units(void **state)
{
    (void)state;
    cn_ctx cx;
    cn_spec *s = good(
        &cx, "layout.yaml",
        "model: llama-3.1-70b\ndata: {tokens: 1e12}\ntraining: {global_batch: 4M tokens}\n"
        "cluster:\n  accelerator: H100\n  accelerators: 64\n"
        "  parallel: {tp: 8, pp: 4, vp: 2, dp: auto, cp: 1, zero: 1, micro_batch: 1, sp: yes,\n"
        "             recompute: full, schedule: zero-bubble, offload_optimizer: yes}\n"
        "checkpoint: {every: 30 min}\noperations: {setup: 80 h, staff: 500 CNY/h}\n");
    const cn_layout *l = &s->cluster.layout;
    assert_true(l->tp == 8 && l->pp == 4 && l->vp == 2 && l->dp == -1 && l->zero == 1 &&
                l->sp == 1);
    assert_int_equal(l->schedule, CN_SCHED_ZERO_BUBBLE);
    assert_int_equal(l->recompute, CN_RECOMPUTE_FULL);
    assert_int_equal(l->offload, CN_OFFLOAD_OPTIMIZER);
    assert_true(s->training.global_batch_tokens == 4e6 && s->checkpoint.every_s == 1800);
    assert_true(s->operations.staff_h_setup == 80 && s->operations.staff_per_h == 500);
    assert_string_equal(s->operations.currency, "CNY");
    cn_ctx_done(&cx);
}

static void inline_models(void **state)
{
    (void)state;
    cn_ctx cx;
    cn_spec *s =
        good(&cx, "inline.yaml",
             "model: {layers: 61, hidden: 7168, heads: 128, ffn: 18432, vocab: 129280, experts: "
             "256, top_k: 8,\n"
             "        expert_ffn: 2048, shared_experts: 1, dense_layers: 3, attention: mla, "
             "q_rank: 1536,\n"
             "        kv_rank: 512, rope_dim: 64, head_dim: 128, v_dim: 128,\n"
             "        towers: [{layers: 27, hidden: 1152, heads: 16, ffn: 4304, tokens: 256, "
             "frozen: yes}]}\n"
             "data: {target_loss: 2.1}\ncluster: {node: aws/p5.48xlarge, accelerators: 2048}\n");
    const cn_shape *m = &s->model->shape;
    assert_int_equal(m->n_blocks, 3);
    assert_true(m->block[0].n_layers == 3 && m->block[1].n_layers == 58 &&
                m->block[2].part == CN_PART_TOWER);
    assert_true(m->block[2].is_frozen && m->block[1].shared_ffn == 2048);
    double text = cn_shape_params(m) - 27 * cn_block_params(&m->block[2]);
    assert_true(fabs(text / 671e9 - 1) < 0.005);
    cn_ctx_done(&cx);
}

/* Each fault: one line that says where, what and what to do. */
static void faults(void **state)
{
    (void)state;
#define HEAD "model: llama-3.1-8b\ndata: {tokens: 1T}\n"
#define MOE  "model: mixtral-8x7b\ndata: {tokens: 1T}\n"
#define CLUSTER                                                                                    \
    "cluster:\n  node: aws/p5.48xlarge\n  accelerators: 64\n  parallel:\n    " /* 5 lines */
    static const struct {
        const char *text;
        int line;
        const char *says;
    } row[] = {
        {"modle: x\n", 1, "unknown key \"modle\""},
        {"model: llama-3.1-8c\ndata: {tokens: 1T}\ncluster: {node: aws/p5.48xlarge, accelerators: "
         "8}\n",
         1, "llama-3.1-8c"},
        {HEAD "cluster: {node: aws/p5.48xlarg, accelerators: 8}\n", 3, "aws/p5.48xlarg"},
        {HEAD "cluster: {node: aws/p5.48xlarge}\n", 1, "number of accelerators"},
        {HEAD, 1, "no accelerator"},
        {"model: llama-3.1-8b\ncluster: {node: aws/p5.48xlarge, accelerators: 8}\n", 1,
         "how long to train"},
        {HEAD "cluster: {node: aws/p5.48xlarge, accelerators: 512, parallel: {tp: 8, pp: 4, dp: "
              "12, cp: 1}}\n",
         3, "tp x pp x cp x dp is 384, accelerators are 512"},
        {HEAD "cluster: {node: aws/p5.48xlarge, accelerators: 512, parallel: {tp: 3}}\n", 3,
         "is 3, accelerators"},
        {HEAD "cluster: {node: aws/p5.48xlarge, accelerators: 24, parallel: {tp: 24}}\n", 3,
         "does not divide"},
        {HEAD "training: {global_batch: 100}\ncluster: {node: aws/p5.48xlarge, accelerators: 64, "
              "parallel: {dp: 64, micro_batch: 1}}\n",
         4, "not a multiple"},
        {HEAD "training: {global_batch: 1001}\ncluster: {node: aws/p5.48xlarge, accelerators: "
              "4M, parallel: {dp: 4000000, micro_batch: 1000000}}\n",
         4, "micro_batch x dp = 4000000000000"},
        {HEAD "training: {global_batch: 128}\n" CLUSTER "dp: 64\n    micro_batch: 1\n"
              "    accumulation: 4\n",
         10, "micro_batch x dp x accumulation is 256, global_batch is 128"},
        {HEAD CLUSTER "tp: 1\n    pp: 64\n", 8, "pp x vp is 64, the model has 32 layers"},
        {HEAD CLUSTER "pp: 1\n    vp: 4\n", 8, "vp 4 interleaves"},
        {HEAD CLUSTER "ep: 4\n", 7, "ep 4 does not divide the 0 experts"},
        {MOE CLUSTER "tp: 1\n    ep: 16\n", 8, "ep 16 does not divide the 8 experts"},
        {MOE CLUSTER "tp: 2\n    pp: 32\n    cp: 1\n    dp: 1\n    ep: 8\n", 11,
         "ep x etp is 8, dp x cp x tp is 2"},
        {HEAD CLUSTER "tp: 1\n    pp: 1\n    zero: 3\n    shard: 48\n", 10,
         "shard 48 does not divide dp x cp = 64"},
        {HEAD CLUSTER "zero: 0\n    shard: 8\n", 8, "shard 8 splits what zero 0 keeps whole"},
        {HEAD "training: {sequence: 4097}\n" CLUSTER "cp: 2\n", 8, "cp 2 does not divide"},
        {HEAD "training: {recompute: full}\n" CLUSTER "recompute: none\n", 8, "says otherwise"},
        {"model: llama-3.1-8b\ndata:\n  tokens: 1T\n  target_loss: 2.0\n", 4,
         "both tokens and target_loss"},
        {HEAD "limits: {budget: -5 USD}\n", 3, "budget is below zero"},
        {HEAD "limits: {deadline: 0 h}\n", 3, "deadline is out of range"},
        {HEAD "checkpoint: {keep_every: 0 steps}\n", 3, "keep_every is out of range"},
        {HEAD "checkpoint: {write: 0 GB/s}\n", 3, "write is out of range"},
        {HEAD "training: {precision: bf17}\n", 3, "cannot be \"bf17\""},
        {HEAD "data2: 3\n", 3, "unknown key"},
        {"model: llama-3.1-8b\ndata: {tokens: 15 TB}\n", 2, "unknown unit"},
        {"model: {layers: 2}\n", 1, "has no \"hidden\""},
        {"- a\n- b\n", 1, "must be a map"},
        {HEAD "storage: {read: 0 GB/s}\n", 3, "read is out of range"},
        {HEAD "checkpoint: {write: 1e-300 GB/s}\n", 3, "write is out of range"},
        {HEAD "checkpoint: {every: 1e300 s}\n", 3, "every: is out of range"},
        {HEAD "checkpoint: {every: 1e-9 s}\n", 3, "every: must be above zero"},
        {HEAD "storage: {retention: 1e9 y}\n", 3, "retention is out of range"},
        {HEAD "network: {fixed: 1e308 USD}\n", 3, "fixed is out of range"},
        {HEAD "network: {sync: -1 GB}\n", 3, "sync is below zero"},
        {HEAD "observability: {interval: 1e-300 s}\n", 3, "interval is out of range"},
        {HEAD "operations: {staff: 1e300 USD/h}\n", 3, "staff is out of range"},
        {HEAD "purchase: {reserved: 60%, spot: 60%}\n", 3, "120 %"},
        {"name: x\nmodel: {layers: 2, hidden: 64, heads: 2, ffn: 8, vocab: 9, head_dim: 0}\n", 2,
         "impossible: head_dim"},
        {"name: x\nmodel: {layers: 2, hidden: 64, heads: 2, ffn: 8, vocab: 9, experts: 4, "
         "dense_layers: 3}\n",
         2, "impossible: layers"},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        cn_ctx cx;
        cn_spec *s;
        cn_code code = read_text(&cx, "bad.yaml", row[i].text, &s);
        bool found = false;
        for (int k = 0; k < cx.n_problems; k++)
            found = found || (strstr(cx.problem[k].message, row[i].says) &&
                              cx.problem[k].at.line == row[i].line && cx.problem[k].hint[0]);
        if (code != CN_EINPUT || !found)
            fail_msg("row %zu: code %d, line %d \"%s\" hint \"%s\"", i, code, cx.problem[0].at.line,
                     cx.problem[0].message, cx.problem[0].hint);
        cn_ctx_done(&cx);
    }
}

/* Steps win over tokens; who gave both is told. */
static void steps_and_tokens(void **state)
{
    (void)state;
    cn_ctx cx;
    good(&cx, "steps.yaml",
         "model: llama-3.1-8b\ndata: {tokens: 1T}\n"
         "training:\n  sequence: 4096\n  global_batch: 128\n  steps: 5\n"
         "cluster: {node: aws/p5.48xlarge, accelerators: 64}\n");
    assert_int_equal(cx.n_warnings, 1);
    assert_int_equal(cx.warning[0].at.line, 6);
    assert_non_null(strstr(cx.warning[0].message, "2.621e+06 tokens, not the 1e+12"));
    cn_ctx_done(&cx);
}

/* "cp: auto" may take what tp, pp and dp leave. */
static void open_degrees_are_no_fault(void **state)
{
    (void)state;
    cn_ctx cx;
    good(&cx, "open.yaml",
         "model: llama-3.1-8b\ndata: {tokens: 1T}\ncluster: {node: aws/p5.48xlarge, "
         "accelerators: 64, parallel: {tp: 8, pp: 2, dp: 2, cp: auto}}\n");
    cn_ctx_done(&cx);
}

static const cn_spec *launch(cn_ctx *cx, const char *name, const char *text,
                             const char *const *sets, size_t n)
{
    cn_catalog *cat;
    cn_spec *s = NULL;
    cn_ctx_init(cx, 1796083200);
    assert_int_equal(cn_catalog_load(cx, NULL, &cat), CN_OK);
    const char *path = write_file(cx, name, text);
    cn_code code = cn_spec_read(cx, cat, path, sets, n, &s);
    unlink(path);
    if (code != CN_OK)
        fail_msg("%s:%d: %s", name, cx->problem[0].at.line, cx->problem[0].message);
    return s;
}

static void megatron_script(void **state)
{
    (void)state;
    static const char *const sets[] = {"cluster.node=aws/p5.48xlarge"};
    cn_ctx cx;
    const cn_spec *s = launch(
        &cx, "train.sh",
        "#!/bin/bash\nTP=4\nPP=${PP:-2}\nNODES=2 # two machines\n"
        "torchrun --nnodes $NODES --nproc_per_node 8 pretrain_gpt.py \\\n"
        "  --num-layers 32 --hidden-size 4096 --ffn-hidden-size 14336 --num-attention-heads 32 \\\n"
        "  --group-query-attention --num-query-groups 8 --vocab-size 128256 --swiglu \\\n"
        "  --untie-embeddings-and-output-weights --disable-bias-linear --seq-length 8192 \\\n"
        "  --micro-batch-size 1 --global-batch-size=128 --train-iters 1000 --bf16 --fp8-format "
        "hybrid \\\n"
        "  --tensor-model-parallel-size $TP --pipeline-model-parallel-size ${PP:-2} "
        "--sequence-parallel \\\n"
        "  --use-distributed-optimizer --recompute-granularity selective --save-interval 500 --lr "
        "3e-4\n",
        sets, 1);
    const cn_layout *l = &s->cluster.layout;
    assert_true(fabs(cn_shape_params(&s->model->shape) / 8.03e9 - 1) < 0.001);
    assert_true(l->tp == 4 && l->pp == 2 && l->dp == -1 && l->zero == 1 && l->sp == 1 &&
                l->micro_batch == 1);
    assert_true(s->cluster.accelerators == 16 && s->training.global_batch == 128 &&
                s->training.steps == 1000);
    assert_int_equal(s->training.precision, CN_PREC_FP8);
    assert_int_equal(s->training.recompute, CN_RECOMPUTE_SELECTIVE);
    assert_true(s->checkpoint.every_steps == 500);
    cn_ctx_done(&cx);
}

/* Derived numbers of a script with a slip in it: out of range, told at the argument. */
/* Rotary positions are no parameters, however long they may get; variables see earlier ones. */
static void megatron_positions_and_variables(void **state)
{
    (void)state;
#define SCRIPT                                                                                     \
    "PP=${PP:-2}\nTP=$PP\nX=$Y\nY=$X\n"                                                            \
    "torchrun --nnodes ${1:-2} --nproc_per_node $Y p.py --num-layers 32 --hidden-size 4096 "       \
    "--ffn-hidden-size 14336 --num-attention-heads 32 --num-query-groups 8 --vocab-size 128256 "   \
    "--swiglu --untie-embeddings-and-output-weights --disable-bias-linear --seq-length 8192 "      \
    "--max-position-embeddings 131072 --global-batch-size 128 --train-iters 10 --bf16 "            \
    "--tensor-model-parallel-size $TP --pipeline-model-parallel-size $PP "
    static const char *const sets[] = {"cluster.node=aws/p5.48xlarge", "cluster.accelerators=16"};
    static const struct {
        const char *text;
        double params;
    } row[] = {{SCRIPT "--position-embedding-type rope\n", 8.03026e9},
               {SCRIPT "--use-rotary-position-embeddings\n", 8.03026e9},
               {SCRIPT "--position-embedding-type learned_absolute\n", 8.03026e9 + 131072.0 * 4096},
               {SCRIPT "\n", 8.03026e9 + 131072.0 * 4096}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        cn_ctx cx;
        const cn_spec *s = launch(&cx, "rope.sh", row[i].text, sets, 2);
        double got = cn_shape_params(&s->model->shape);
        if (!(fabs(got / row[i].params - 1) < 1e-4))
            fail_msg("row %zu: %.0f parameters", i, got);
        assert_int_equal(s->cluster.layout.pp, 2);
        assert_int_equal(s->cluster.layout.tp, 2);
        assert_int_equal(cx.n_warnings, 1); /* $Y leads nowhere, and says so */
        cn_ctx_done(&cx);
    }
}

static void megatron_overflow(void **state)
{
    (void)state;
    cn_ctx cx;
    cn_spec *s;
    cn_code code = read_text(&cx, "big.sh",
                             "torchrun --nnodes 99999999999999999999 --nproc_per_node 8 x.py \\\n"
                             "  --num-layers 2 --hidden-size 4611686018427387904 \\\n"
                             "  --num-attention-heads 2 --seq-length 8 --train-iters 1\n",
                             &s);
    assert_int_equal(code, CN_EINPUT);
    bool devices = false, width = false;
    for (int i = 0; i < cx.n_problems; i++) {
        const cn_problem_entry *p = &cx.problem[i];
        devices =
            devices || (strstr(p->message, "accelerators is out of range") && p->at.line == 1);
        width = width || (strstr(p->message, "ffn is out of range") && p->at.line == 2);
    }
    assert_true(devices && width);
    cn_ctx_done(&cx);
}

static void deepspeed_json(void **state)
{
    (void)state;
    static const char *const sets[] = {"model=llama-3.1-8b", "cluster.node=aws/p5.48xlarge",
                                       "cluster.accelerators=16", "training.steps=100"};
    cn_ctx cx;
    const cn_spec *s = launch(&cx, "ds.json",
                              "{\"train_batch_size\": 64, \"train_micro_batch_size_per_gpu\": 2, "
                              "\"bf16\": {\"enabled\": true},\n"
                              " \"zero_optimization\": {\"stage\": 3, \"offload_optimizer\": "
                              "{\"device\": \"cpu\"}}, \"x\": 1}",
                              sets, 4);
    assert_true(s->cluster.layout.zero == 3 && s->cluster.layout.micro_batch == 2 &&
                s->training.global_batch == 64);
    assert_int_equal(s->cluster.layout.offload, CN_OFFLOAD_OPTIMIZER);
    assert_int_equal(s->training.precision, CN_PREC_BF16);
    cn_ctx_done(&cx);
}

/* From standard input or a file without a telling name: by content. */
static void json_without_its_name(void **state)
{
    (void)state;
    static const char *const sets[] = {"cluster.node=aws/p5.48xlarge", "cluster.accelerators=64",
                                       "data.tokens=1T"};
    cn_ctx cx;
    const cn_spec *s = launch(
        &cx, "config",
        "\xef\xbb\xbf\n{ \"model_type\": \"llama\", \"hidden_size\": 4096,\n"
        "\"num_hidden_layers\": 32, \"num_attention_heads\": 32, \"num_key_value_heads\": 8,\n"
        "\"intermediate_size\": 14336, \"vocab_size\": 128256}",
        sets, 3);
    assert_true(s->model->shape.vocab == 128256 && s->cluster.accelerators == 64);
    cn_ctx_done(&cx);
}

static void torchtitan_toml(void **state)
{
    (void)state;
    static const char *const sets[] = {"cluster.node=aws/p5.48xlarge", "cluster.accelerators=64",
                                       "model=llama-3-8b"};
    cn_ctx cx;
    const cn_spec *s = launch(
        &cx, "job.toml",
        "[model]\nname = \"llama3\"\nflavor = \"8B\"\nconverters = [\"float8\"]\n[training]\n"
        "local_batch_size = 2\nseq_len = 8192\nsteps = 1000\n[parallelism]\n"
        "tensor_parallel_degree = 2\ndata_parallel_shard_degree = -1\n"
        "[activation_checkpoint]\nmode = \"Selective\"\n",
        sets, 3);
    assert_true(s->cluster.layout.tp == 2 && s->cluster.layout.zero == 3 &&
                s->cluster.layout.micro_batch == 2);
    assert_int_equal(s->training.precision, CN_PREC_FP8);
    assert_int_equal(s->training.recompute, CN_RECOMPUTE_SELECTIVE);
    assert_string_equal(s->training.framework, "torchtitan");
    cn_ctx_done(&cx);
}

static void set_wins(void **state)
{
    (void)state;
    static const char *const sets[] = {"training.precision=fp8", "cluster.accelerators=1024"};
    cn_ctx cx;
    const cn_spec *s = launch(&cx, "contract.yaml", contract, sets, 2);
    assert_int_equal(s->training.precision, CN_PREC_FP8);
    assert_true(s->cluster.accelerators == 1024);
    cn_ctx_done(&cx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contract_example),
        cmocka_unit_test(layouts_and_units),
        cmocka_unit_test(inline_models),
        cmocka_unit_test(faults),
        cmocka_unit_test(megatron_script),
        cmocka_unit_test(megatron_overflow),
        cmocka_unit_test(deepspeed_json),
        cmocka_unit_test(torchtitan_toml),
        cmocka_unit_test(json_without_its_name),
        cmocka_unit_test(set_wins),
        cmocka_unit_test(steps_and_tokens),
        cmocka_unit_test(megatron_positions_and_variables),
        cmocka_unit_test(open_degrees_are_no_fault),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
