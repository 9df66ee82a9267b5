/*
 * runs.c - see runs.h.
 *
 * The table's cells are people's spellings ("bf16 (amp_bf16)", "8x 200Gb/s HDR InfiniBand per
 * node", "LLAMA3-70B truncated to 12 layers"). Each kind of cell has one small reader here;
 * anything that is not understood leaves the fact unsaid.
 */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/csv.h"
#include "base/text.h"
#include "estimate/runs.h"

enum { MAX_RUNS_BYTES = 256 << 20, MAX_RUNS = 100000 };

static double cell(const cn_csv *c, const char *name)
{
    double x;
    return cn_parse_double(cn_csv_get(c, name), &x) ? x : NAN;
}

static double cell_or(const cn_csv *c, const char *name, double fallback)
{
    double x = cell(c, name);
    return x > 0 ? x : fallback;
}

/* First match wins, so the narrower spelling stands first. */
static const struct {
    const char *word;
    cn_precision precision;
} precisions[] = {
    {"nvfp4", CN_PREC_NVFP4},     {"mxfp8", CN_PREC_MXFP8}, {"fp8-mx", CN_PREC_MXFP8},
    {"rowwise", CN_PREC_FP8_ROW}, {"fp8", CN_PREC_FP8},     {"float8", CN_PREC_FP8},
    {"int8", CN_PREC_FP8},        {"bf16", CN_PREC_BF16},   {"fp16", CN_PREC_FP16},
    {"tf32", CN_PREC_TF32},       {"fp32", CN_PREC_FP32},
};

static bool read_precision(const char *text, cn_precision *out)
{
    for (size_t i = 0; i < sizeof precisions / sizeof *precisions; i++) {
        if (strcasestr(text, precisions[i].word)) {
            *out = precisions[i].precision;
            return true;
        }
    }
    return false;
}

/* "[4x ]100Gb/s ... per node|per GPU" -> bytes/s of one device; NaN if it does not say so. */
static double read_nic(const char *text, double per_node)
{
    const char *rate = strstr(text, "Gb/s");
    bool is_node = strstr(text, "per node") != NULL, is_device = strstr(text, "per GPU") != NULL;
    if (!rate || (!is_node && !is_device))
        return NAN;
    const char *p = rate;
    while (p > text && (isdigit((unsigned char)p[-1]) || p[-1] == '.'))
        p--;
    double gbit = strtod(p, NULL), count = 1;
    const char *x = p;
    while (x > text && x[-1] == ' ')
        x--;
    if (x > text && x[-1] == 'x') {
        const char *d = x - 1;
        while (d > text && isdigit((unsigned char)d[-1]))
            d--;
        count = strtod(d, NULL);
    }
    double all = gbit * fmax(count, 1) * 1e9 / 8;
    return is_node ? all / per_node : all;
}

/*
 * "Narayanan et al. 2021 (SC21, ...)" -> "Narayanan et al. 2021"; "org/project path/file" ->
 * "org/project"; "NeMo v2.0 docs/page.md" -> "NeMo v2.0": words up to a parenthesis or a path.
 */
static const char *read_set(cn_ctx *cx, const char *source)
{
    size_t end = strcspn(source, " ");
    bool is_path = memchr(source, '/', end) != NULL;
    while (!is_path && source[end] == ' ') {
        size_t word = strcspn(source + end + 1, " ");
        if (source[end + 1] == '(' || memchr(source + end + 1, '/', word))
            break;
        end += 1 + word;
    }
    return cn_arena_strn(&cx->arena, source, end);
}

/* The name without what a table adds: " truncated to ...", " (h14336 l72)", " LoRA". */
static const cn_model_entry *find_model(cn_ctx *cx, cn_catalog *cat, const char *name)
{
    static const char *const tails[] = {" truncated", " (", " LoRA", " SFT"};
    const cn_model_entry *m = cn_catalog_has_model(cx, cat, name);
    for (size_t i = 0; !m && i < sizeof tails / sizeof *tails; i++) {
        const char *tail = strstr(name, tails[i]);
        if (!tail)
            continue;
        const char *head = cn_arena_strn(&cx->arena, name, (size_t)(tail - name));
        m = head ? cn_catalog_has_model(cx, cat, head) : NULL;
    }
    return m;
}

/* Heads for a width when the table does not say: whole heads, split evenly by tp, nearest to 128
 * wide. */
static double likely_heads(double hidden, double tp)
{
    double best = 1, distance = INFINITY;
    for (double n = tp; n <= 1024 && n <= hidden; n += tp) {
        if (fmod(hidden, n) != 0)
            continue;
        double d = fabs(hidden / n - 128);
        if (d < distance) {
            distance = d;
            best = n;
        }
    }
    return best;
}

/* One way a decoder's MLP and embeddings may be made. */
static cn_shape decoder(const cn_csv *c, bool is_gated, bool is_tied)
{
    double hidden = cell(c, "hidden"), experts = cell_or(c, "n_experts", 0);
    double ffn = cell_or(c, "ffn", 4 * hidden);
    double heads = cell_or(c, "n_heads", likely_heads(hidden, cell_or(c, "tp", 1)));
    cn_block b = {.part = CN_PART_TRUNK, .hidden = hidden, .attn = CN_ATTN_GQA, .n_heads = heads};
    b.n_layers = cell(c, "n_layers");
    b.n_kv_heads = cell_or(c, "n_kv_heads", heads);
    b.head_dim = cell_or(c, "head_dim", hidden / heads);
    b.is_causal = true;
    b.is_gated = is_gated;
    b.has_bias = !is_gated;
    b.ffn = experts > 0 ? 0 : ffn;
    b.n_experts = experts;
    b.top_k = cell_or(c, "top_k", experts > 0 ? 1 : 0);
    b.expert_ffn = experts > 0 ? ffn : 0;
    b.token_ratio = 1;
    cn_shape s = {.hidden = hidden, .vocab = cell_or(c, "vocab", 51200), .is_tied = is_tied};
    s.has_head = true;
    s.n_blocks = 1;
    s.block[0] = b;
    return s;
}

/*
 * A decoder from the table's columns alone. Whether the MLP is gated and the embeddings are tied is
 * read from the stated parameter count; without one, an MLP of four times the width is plain and
 * tied, as GPT-2's.
 */
static void shape_from_columns(const cn_csv *c, cn_shape *s)
{
    double params = cell(c, "params_total"), hidden = cell(c, "hidden");
    bool gated = cell_or(c, "n_experts", 0) > 0 || cell_or(c, "ffn", 4 * hidden) != 4 * hidden;
    *s = decoder(c, gated, !gated);
    if (!(params > 0))
        return;
    double best = 0.03; /* keep the usual form unless another explains the count better */
    double usual = fabs(cn_shape_params(s) / params - 1);
    for (int i = 0; i < 4 && usual > best; i++) {
        cn_shape other = decoder(c, i & 1, i & 2);
        double off = fabs(cn_shape_params(&other) / params - 1);
        if (off < usual) {
            usual = off;
            *s = other;
        }
    }
}

/* The catalog's shape cut or stretched to the row's depth: a leading block keeps at least one
 * layer. */
static void scale_depth(cn_shape *s, double layers)
{
    double all = cn_shape_layers(s), left = layers;
    for (int i = 0; i < s->n_blocks; i++) {
        cn_block *b = &s->block[i];
        if (b->part == CN_PART_TOWER)
            continue;
        bool is_last = i == s->n_blocks - 1;
        double n = is_last ? left : fmax(1, round(b->n_layers * fmin(1, layers / all)));
        b->n_layers = fmin(n, left);
        left -= b->n_layers;
    }
}

static bool near(double given, double fact)
{
    return isnan(given) || fabs(given - fact) <= 0.01 * fact;
}

/* Heads and widths the row states, on the catalog's layers. */
static void state_widths(const cn_csv *c, cn_block *b)
{
    double heads = cell(c, "n_heads"), ffn = cell(c, "ffn");
    if (heads > 0 && b->attn == CN_ATTN_GQA) {
        b->n_kv_heads = cell_or(c, "n_kv_heads", heads == b->n_heads ? b->n_kv_heads : heads);
        b->head_dim = cell_or(c, "head_dim", heads == b->n_heads ? b->head_dim : b->hidden / heads);
        b->n_heads = heads;
    }
    if (b->n_experts > 0) {
        b->n_experts = cell_or(c, "n_experts", b->n_experts);
        b->top_k = cell_or(c, "top_k", b->top_k);
    } else if (ffn > 0 && !(cell(c, "n_experts") > 0)) {
        b->ffn = ffn;
    }
}

/* Facts of the model: what the row states wins; the catalog fills what a table of this form cannot
 * say. */
static const char *set_shape(cn_ctx *cx, cn_catalog *cat, const cn_csv *c, cn_run *r)
{
    const cn_model_entry *m = find_model(cx, cat, cn_csv_get(c, "model"));
    double layers = cell(c, "n_layers"), vocab = cell(c, "vocab");
    if (m && near(cell(c, "hidden"), m->shape.hidden)) {
        r->shape = m->shape;
        if (layers > 0 && layers != cn_shape_layers(&m->shape))
            scale_depth(&r->shape, layers);
        if (vocab > 0)
            r->shape.vocab = vocab;
        for (int i = 0; i < r->shape.n_blocks; i++)
            if (r->shape.block[i].part == CN_PART_TRUNK)
                state_widths(c, &r->shape.block[i]);
        return NULL;
    }
    if (!(cell(c, "hidden") > 0) || !(layers > 0))
        return "hidden or n_layers is blank and the model is not in the catalog";
    shape_from_columns(c, &r->shape);
    return NULL;
}

static const struct {
    const char *word;
    int zero;
} shardings[] = {
    {"zero3", 3}, {"SHARD_GRAD_OP", 2},         {"zero2", 2}, {"fsdp", 3},
    {"zero1", 1}, {"distributed optimizer", 1}, {"none", 0},
};

static int read_zero(const char *text)
{
    for (size_t i = 0; i < sizeof shardings / sizeof *shardings; i++)
        if (strcasestr(text, shardings[i].word))
            return shardings[i].zero;
    return -1;
}

static int read_recompute(const char *text)
{
    if (strcasestr(text, "full"))
        return CN_RECOMPUTE_FULL;
    if (strcasestr(text, "selective"))
        return CN_RECOMPUTE_SELECTIVE;
    return *text ? CN_RECOMPUTE_NONE : -1;
}

/*
 * Degrees as stated. Where the table leaves model parallelism open, the least of it that lets every
 * replica have a sequence: tensor parallel inside a domain, then context parallel.
 */
static void set_degrees(const cn_csv *c, cn_run *r, double batch)
{
    cn_layout *l = &r->train.layout;
    l->tp = (int)cell_or(c, "tp", 1);
    l->pp = (int)cell_or(c, "pp", 1);
    l->vp = (int)cell_or(c, "vpp", 1);
    l->cp = (int)cell_or(c, "cp", 1);
    l->ep = (int)cell_or(c, "ep", 1);
    double dp = cell(c, "dp"), rest = r->devices / ((double)l->tp * l->pp);
    if (dp > 0 && l->cp == 1 && fmod(rest, dp) == 0)
        l->cp = (int)(rest / dp);
    r->is_described = cell(c, "tp") > 0 && cell(c, "pp") > 0;
    if (r->is_described)
        return;
    while (r->devices / ((double)l->tp * l->pp * l->cp) > batch) {
        bool wider = l->tp * 2 <= r->fabric.domain && l->tp < 8;
        if (wider)
            l->tp *= 2;
        else
            l->cp *= 2;
    }
}

static const char *set_layout(const cn_csv *c, cn_run *r)
{
    cn_layout *l = &r->train.layout;
    double batch = cell(c, "global_batch");
    *l = (cn_layout){.tp = 1};
    if (!(batch > 0))
        return "global_batch is blank";
    set_degrees(c, r, batch);
    double dp = r->devices / ((double)l->tp * l->pp * l->cp);
    if (!(dp >= 1) || dp != floor(dp))
        return "tp x pp x cp does not divide n_accel";
    l->dp = (int)dp;
    l->micro_batch = (int)cell_or(c, "micro_batch", 1);
    l->n_micro = (int)fmax(1, round(batch / (dp * l->micro_batch)));
    int zero = read_zero(cn_csv_get(c, "zero_stage_fsdp"));
    int again = read_recompute(cn_csv_get(c, "recompute"));
    r->auto_zero = zero < 0;
    r->auto_recompute = again < 0;
    l->zero = zero < 0 ? 1 : zero;
    l->recompute = again < 0 ? CN_RECOMPUTE_NONE : (cn_recompute)again;
    /* selective recompute came with sequence parallelism [korthikanti2022] */
    l->is_sp = l->tp > 1 && (r->framework->is_sp || l->recompute == CN_RECOMPUTE_SELECTIVE);
    return NULL;
}

static const char *set_work(const cn_csv *c, cn_run *r)
{
    cn_train *t = &r->train;
    const char *flash = cn_csv_get(c, "flash_attention");
    t->seq = cell(c, "seq_len");
    if (!(t->seq > 0))
        return "seq_len is blank";
    t->global_batch = cell(c, "global_batch");
    if (!read_precision(cn_csv_get(c, "precision"), &t->precision))
        t->precision = r->device.peak_flop_per_s[CN_BF16] > 0 ? CN_PREC_BF16 : CN_PREC_FP16;
    if (!(r->device.peak_flop_per_s[cn_precision_numeric(t->precision)] > 0))
        return "the accelerator's peak at this precision is unknown";
    t->method = strcasestr(cn_csv_get(c, "task"), "lora") ? CN_METHOD_LORA : CN_METHOD_FULL;
    t->lora_rank = 16;
    t->has_flash = *flash ? strncasecmp(flash, "y", 1) == 0 : r->framework->has_flash;
    t->has_fp32_grads = r->framework->has_fp32_grads;
    t->has_fused_loss = r->framework->has_fused_loss;
    t->has_fp8_weights = r->framework->has_fp8_weights && cn_precision_bytes(t->precision) < 2;
    return NULL;
}

static void set_hardware(const cn_csv *c, cn_run *r)
{
    double per_node = cell(c, "accel_per_node");
    cn_catalog_fabric(r->accel, NULL, &r->fabric);
    if (per_node > 0) {
        /* a rack-scale domain spans nodes; an ordinary one is the node */
        if (r->fabric.domain <= 16)
            r->fabric.domain = fmin(per_node, r->fabric.domain);
        r->fabric.per_node = per_node;
    }
    double nic = read_nic(cn_csv_get(c, "interconnect_inter"), r->fabric.per_node);
    if (nic > 0)
        r->fabric.bytes_per_s[CN_TIER_RAIL] = nic;
}

/* What the columns can hold at most: a slip (or malice) in a cell must not become a layout with
 * more than INT_MAX devices or a loop without end. */
static const struct {
    const char *column;
    double lo, hi;
} ranges[] = {
    {"n_accel", 1, 1e7},
    {"accel_per_node", 1, 1024},
    {"tp", 1, 1024},
    {"pp", 1, 1024},
    {"vpp", 1, 1024},
    {"dp", 1, 1e7},
    {"cp", 1, 1024},
    {"ep", 1, 1024},
    {"micro_batch", 1, 1e6},
    {"global_batch", 1, 1e9},
    {"seq_len", 1, 1e9},
    {"n_layers", 1, 1e5},
    {"hidden", 1, 1e6},
    {"iter_time_s", 1e-6, 1e7},
    {"tokens_per_s_per_gpu", 1e-3, 1e12},
    {"tflops_per_gpu", 1e-6, 1e6},
    {"peak_mem_gib", 1e-6, 1e6},
    {"gpu_hours", 1e-9, 1e12},
    {"tokens_total", 1, 1e18},
};

/* A blank cell is unknown, "-" and words too; a number has to be possible. */
static const char *out_of_range(cn_ctx *cx, const cn_csv *c)
{
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        double x = cell(c, ranges[i].column);
        if (isnan(x) || (x >= ranges[i].lo && x <= ranges[i].hi))
            continue;
        const char *why = cn_arena_printf(&cx->arena, "%s is out of range: %s", ranges[i].column,
                                          cn_csv_get(c, ranges[i].column));
        return why ? why : "out of memory";
    }
    return NULL;
}

static const char *fill(cn_ctx *cx, cn_catalog *cat, const cn_csv *c, cn_run *r)
{
    if (cn_csv_column(c, "output_tokens_per_s") >= 0 || cn_csv_column(c, "tpot_ms") >= 0)
        return "a serving run: training rows only";
    const char *why = out_of_range(cx, c);
    if (why)
        return why;
    r->accel = cn_catalog_has_accel(cx, cat, cn_csv_get(c, "accelerator"));
    if (!r->accel)
        return "the accelerator is not in the catalog";
    r->framework = cn_catalog_has_framework(cx, cat, cn_csv_get(c, "framework"));
    if (!r->framework)
        r->framework = cn_catalog_default_framework(cx, cat);
    r->device = r->accel->device;
    r->soft = r->framework->soft;
    r->devices = cell(c, "n_accel");
    if (!(r->devices >= 1))
        return "n_accel is blank";
    set_hardware(c, r);
    why = set_shape(cx, cat, c, r);
    why = why ? why : cn_shape_fault(&r->shape);
    why = why ? why : set_layout(c, r);
    return why ? why : set_work(c, r);
}

static bool is_core_row(const cn_csv *c)
{
    static const char *const need[] = {"hidden",  "n_layers",     "tp",
                                       "pp",      "global_batch", "micro_batch",
                                       "seq_len", "n_accel",      "iter_time_s"};
    for (size_t i = 0; i < sizeof need / sizeof *need; i++)
        if (!(cell(c, need[i]) > 0))
            return false;
    return true;
}

static void read_row(cn_ctx *cx, cn_catalog *cat, const cn_csv *c, cn_run *r)
{
    r->id = cn_arena_str(&cx->arena, cn_csv_get(c, "id"));
    r->source = cn_arena_str(&cx->arena, cn_csv_get(c, "source"));
    r->set = read_set(cx, r->source);
    r->is_core = is_core_row(c);
    r->iter_time_s = cell(c, "iter_time_s");
    r->tokens_per_s_per_device = cell(c, "tokens_per_s_per_gpu");
    /* a rate in FLOP/s tells a time only if it is said what was counted */
    const char *counted = cn_csv_get(c, "flops_convention");
    bool is_told = *counted && !strstr(counted, "not stated");
    r->flop_per_s_per_device = is_told ? cell(c, "tflops_per_gpu") * 1e12 : NAN;
    r->counts_full_attention = strstr(counted, "non-causal") != NULL;
    r->peak_bytes = cell(c, "peak_mem_gib") * 1073741824.0;
    r->gpu_hours = cell(c, "gpu_hours");
    r->tokens_total = cell(c, "tokens_total");
    r->train.shape = &r->shape;
    r->train.device = &r->device;
    r->train.fabric = &r->fabric;
    r->train.soft = &r->soft;
    r->reason = fill(cx, cat, c, r);
    if (!r->reason)
        cn_run_settle(r);
}

bool cn_run_fits(const cn_run *r, cn_memory *mem)
{
    cn_memory_eval(&r->train, mem);
    return mem->allocated_bytes + mem->context_bytes <= r->device.mem_bytes;
}

void cn_run_settle(cn_run *r)
{
    cn_layout *l = &r->train.layout;
    cn_memory mem;
    const int zeros[] = {1, 3};
    for (int z = 0; z < (r->auto_zero ? 2 : 1); z++) {
        if (r->auto_zero)
            l->zero = zeros[z];
        for (int i = 0; i < (r->auto_recompute ? CN_N_RECOMPUTES : 1); i++) {
            if (r->auto_recompute)
                l->recompute = (cn_recompute)i;
            if (cn_run_fits(r, &mem))
                return;
        }
    }
}

double cn_run_peak_bytes(const cn_run *r, const cn_memory *mem)
{
    return mem->allocated_bytes + (r->framework->reports_reserved ? mem->fragmentation_bytes : 0);
}

static cn_code count_rows(cn_ctx *cx, const char *path, const char *text, size_t len, size_t *n)
{
    cn_csv csv;
    bool more = true;
    *n = 0;
    CN_TRY(cn_csv_open(cx, path, text, len, &csv));
    CN_TRY(cn_csv_next(cx, &csv, &more));
    for (; more && *n <= MAX_RUNS; (*n)++)
        CN_TRY(cn_csv_next(cx, &csv, &more));
    if (*n <= MAX_RUNS)
        return CN_OK;
    cn_at at = {.file = path, .line = csv.line};
    cn_fail(cx, CN_EINPUT, &at, "more than %d runs", MAX_RUNS);
    return cn_hint(cx, "one row is one run, not one step; split the file if there are so many");
}

/* Any text is a CSV of some kind: without this column no row could ever be read. */
static cn_code check_header(cn_ctx *cx, const cn_csv *c)
{
    if (cn_csv_column(c, "accelerator") >= 0 || cn_csv_column(c, "output_tokens_per_s") >= 0)
        return CN_OK;
    cn_at at = {.file = c->file, .line = 1};
    cn_fail(cx, CN_EINPUT, &at, "no column \"accelerator\" in the header");
    return cn_hint(cx, "one run per row: id, model, accelerator, n_accel, tp, pp, global_batch, "
                       "micro_batch, seq_len, iter_time_s");
}

cn_code cn_runs_read(cn_ctx *cx, cn_catalog *cat, const char *path, cn_run **runs, size_t *n)
{
    char *text;
    size_t len, i = 0;
    cn_csv csv;
    bool more = true;
    CN_TRY(cn_file_read(cx, path, MAX_RUNS_BYTES, &text, &len));
    CN_TRY(count_rows(cx, path, text, len, n));
    *runs = cn_arena_array(&cx->arena, *n ? *n : 1, sizeof **runs);
    if (!*runs)
        return cn_nomem(cx);
    CN_TRY(cn_csv_open(cx, path, text, len, &csv));
    CN_TRY(check_header(cx, &csv));
    CN_TRY(cn_csv_next(cx, &csv, &more));
    for (; more && i < *n; i++) {
        read_row(cx, cat, &csv, &(*runs)[i]);
        CN_TRY(cn_csv_next(cx, &csv, &more));
    }
    return cn_problems(cx);
}
