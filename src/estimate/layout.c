/*
 * layout.c - what the spec leaves open of the layout: the smallest that fits.
 *
 * Smallest means, in this order: the fewest devices that share one copy of the model (tp x pp x
 * cp), then few expert groups, then the sharding that the framework is used with, then little
 * recompute. Full recompute and sharding beyond the framework's habit are tried only when nothing
 * else fits. Within one size tensor parallel inside a node goes before pipelines. This is a choice,
 * not a search for the cheapest: that is `carnot plan`.
 */
#include <math.h>
#include <string.h>

#include "estimate/build.h"

bool cn_fits(const cn_train *t, double mem_ratio, cn_memory *out)
{
    cn_memory_eval(t, out);
    return out->allocated_bytes + out->context_bytes <= mem_ratio * t->device->mem_bytes;
}

/* Whole micro-batches for every replica. A batch that the user did not fix is rounded up. */
static bool divide_batch(cn_train *t, bool is_fixed)
{
    cn_layout *l = &t->layout;
    double each = (double)l->dp * l->micro_batch;
    if (!is_fixed)
        t->global_batch =
            each * (l->n_micro > 0 ? l->n_micro : fmax(1, round(t->global_batch / each)));
    double n = t->global_batch / each;
    if (!(n >= 1) || n != floor(n) || n > 1e7)
        return false;
    if (l->n_micro > 0)
        return l->n_micro == n;
    l->n_micro = (int)n;
    return true;
}

static bool divide(cn_train *t, double devices, int dp_said, bool is_fixed)
{
    cn_layout *l = &t->layout;
    double dp = devices / ((double)l->tp * l->pp * l->cp);
    if (!(dp >= 1) || dp != floor(dp) || (dp_said > 0 && dp_said != dp))
        return false;
    l->dp = (int)dp;
    return divide_batch(t, is_fixed);
}

bool cn_layout_divide(cn_train *t, double devices)
{
    t->layout.n_micro = -1;
    return divide(t, devices, -1, true);
}

/* What one axis may be: the said value alone, or powers of two up to a bound. */
typedef struct {
    int value[20], n;
} axis;

static axis axis_of(int said, double most)
{
    axis a = {.n = 1, .value = {said}};
    if (said > 0)
        return a;
    a.n = 0;
    for (int v = 1; v <= most && a.n < 18; v *= 2)
        a.value[a.n++] = v;
    return a;
}

typedef struct {
    cn_build *b;
    const cn_layout *said;
    axis tp, pp, cp, ep, micro;
    bool is_fixed; /* the batch */
    double mem_ratio;
    cn_train best;     /* the fastest of its size that fits, or so far the one nearest to fitting */
    double best_bytes; /* peak of the one nearest to fitting; infinite = none was possible */
    double best_s;     /* step of the one that fits; infinite = none does */
} chooser;

static double most_experts(const cn_shape *s)
{
    double n = 1;
    for (int i = 0; i < s->n_blocks; i++)
        n = fmax(n, s->block[i].n_experts);
    return n;
}

static chooser chooser_of(cn_build *b)
{
    cn_estimate *e = b->e;
    const cn_layout *said = &b->s->cluster.layout;
    chooser c = {.b = b, .said = said};
    double domain = fmin(e->fabric.domain >= 1 ? e->fabric.domain : 1, e->devices_per_node);
    c.tp = axis_of(said->tp, fmin(fmax(domain, 1), e->devices));
    c.pp = axis_of(said->pp, fmin(fmin(64, cn_shape_layers(&e->shape)), e->devices));
    /* a sequence is split only when one layer of it does not fit otherwise */
    c.cp = axis_of(said->cp, e->train.seq >= 32768 ? fmin(16, e->devices) : 1);
    c.ep = axis_of(said->ep, fmin(most_experts(&e->shape), e->devices));
    c.micro = axis_of(said->micro_batch, 1);
    c.is_fixed = b->s->training.global_batch >= 1;
    c.mem_ratio = b->s->limits.mem_ratio;
    c.best_bytes = c.best_s = INFINITY;
    return c;
}

static void start_from(const chooser *c, cn_train *t)
{
    const cn_layout *said = c->said;
    cn_layout *l = &t->layout;
    *l = *said;
    l->vp = said->vp > 0 ? said->vp : 1;
    l->etp = said->etp > 0 ? said->etp : 0;
    l->shard = said->shard > 0 ? said->shard : 0;
    l->schedule = (int)said->schedule >= 0 ? said->schedule : CN_SCHED_1F1B;
    l->cp_kind = (int)said->cp_kind >= 0 ? said->cp_kind : CN_CP_RING;
    l->offload = said->offload > 0 ? said->offload : 0;
    l->keeps_shards = said->reshard == 0;
}

/* Sharding the framework is used with: ZeRO-3 for those built around it, else the optimizer alone.
 */
static int habit_zero(const char *framework)
{
    static const char *const full[] = {"fsdp", "zero3", "torchtitan", "composer", "maxtext"};
    for (size_t i = 0; i < sizeof full / sizeof *full; i++)
        if (strstr(framework, full[i]))
            return 3;
    return 1;
}

static bool try_one(chooser *c, cn_train *t, int zero, int recompute)
{
    cn_layout *l = &t->layout;
    cn_memory mem;
    l->zero = zero;
    l->recompute = (cn_recompute)recompute;
    l->is_sp = c->said->sp >= 0 ? c->said->sp && l->tp > 1
                                : l->tp > 1 && (c->b->e->framework->is_sp ||
                                                l->recompute == CN_RECOMPUTE_SELECTIVE);
    cn_step step;
    bool fits = cn_fits(t, c->mem_ratio, &mem);
    if (fits)
        cn_step_eval(t, &step);
    if (fits ? step.time_s < c->best_s : isinf(c->best_s) && mem.peak_bytes < c->best_bytes) {
        c->best = *t;
        c->best_bytes = mem.peak_bytes;
        c->best_s = fits ? step.time_s : INFINITY;
    }
    return fits;
}

/* recompute: said in cluster.parallel, else in training. */
static int said_recompute(const chooser *c)
{
    int l = (int)c->said->recompute;
    return l >= 0 ? l : c->b->s->training.recompute;
}

static bool try_settings(chooser *c, cn_train *t, bool is_last_resort)
{
    int habit = habit_zero(c->b->e->framework->id), said = c->said->zero;
    int again = said_recompute(c);
    int zeros[] = {said >= 0 ? said : habit, 3};
    int n_zeros = is_last_resort && said < 0 && habit != 3 ? 2 : 1;
    int most = is_last_resort ? CN_RECOMPUTE_FULL : CN_RECOMPUTE_SELECTIVE;
    for (int z = 0; z < n_zeros; z++) {
        if (again >= 0) {
            if (try_one(c, t, zeros[z], again))
                return true;
            continue;
        }
        for (int r = CN_RECOMPUTE_NONE; r <= most; r++)
            if (try_one(c, t, zeros[z], r))
                return true;
    }
    return false;
}

/* Every expert group size for one tp, pp, cp, until one fits. */
static void try_groups(chooser *c, int tp, int pp, int cp, bool is_last_resort)
{
    cn_train t = c->b->e->train;
    start_from(c, &t);
    t.layout.tp = tp;
    t.layout.pp = pp;
    t.layout.cp = cp;
    t.layout.micro_batch = c->micro.value[0];
    if (!divide(&t, c->b->e->devices, c->said->dp, c->is_fixed))
        return;
    bool fits = false;
    for (int i = 0; i < c->ep.n && !fits; i++) {
        t.layout.ep = c->ep.value[i];
        fits = cn_train_check(&t) == CN_TRAIN_OK && try_settings(c, &t, is_last_resort);
    }
}

static bool try_size(chooser *c, double size, bool is_last_resort)
{
    for (int k = 0; k < c->cp.n; k++)
        for (int i = 0; i < c->tp.n; i++)
            for (int j = 0; j < c->pp.n; j++)
                if ((double)c->tp.value[i] * c->pp.value[j] * c->cp.value[k] == size)
                    try_groups(c, c->tp.value[i], c->pp.value[j], c->cp.value[k], is_last_resort);
    return isfinite(c->best_s);
}

/* All sizes that products of the axes make, from small to large. */
static bool choose(chooser *c)
{
    for (int last = 0; last <= 1; last++) {
        double size = 0;
        for (;;) {
            double next = INFINITY;
            for (int k = 0; k < c->cp.n; k++)
                for (int i = 0; i < c->tp.n; i++)
                    for (int j = 0; j < c->pp.n; j++) {
                        double s = (double)c->tp.value[i] * c->pp.value[j] * c->cp.value[k];
                        next = s > size ? fmin(next, s) : next;
                    }
            if (!(next <= c->b->e->devices))
                break;
            size = next;
            if (try_size(c, size, last))
                return true;
        }
    }
    return false;
}

static const struct {
    cn_train_fault fault;
    const char *text, *hint;
} faults[] = {
    {CN_TRAIN_DEVICES, "a parallel degree is below 1", "degrees count devices: write 1 or more"},
    {CN_TRAIN_BATCH, "the global batch does not divide over micro-batches and replicas",
     "make global_batch a multiple of micro_batch x dp"},
    {CN_TRAIN_TP_HEADS, "tp does not divide the attention heads", "choose a tp that divides them"},
    {CN_TRAIN_PP_LAYERS, "pp x vp is above the number of layers", "lower pp or vp"},
    {CN_TRAIN_VP_MICRO, "interleaving needs accumulation to be a multiple of pp",
     "raise global_batch, or write \"vp: 1\""},
    {CN_TRAIN_EP, "ep does not divide the experts, or is larger than dp x cp x tp",
     "choose an ep that divides the experts and fits in the group"},
    {CN_TRAIN_CP_SEQ, "cp does not divide the sequence", "choose a cp that divides it"},
    {CN_TRAIN_PRECISION, "the accelerator has no such numeric format",
     "choose another precision; `carnot catalog show` lists the peaks"},
};

/* Nothing can be laid out at all: say which rule is in the way of the smallest try. */
static cn_code impossible(chooser *c)
{
    cn_train t = c->b->e->train;
    start_from(c, &t);
    t.layout.tp = c->tp.value[0];
    t.layout.pp = c->pp.value[0];
    t.layout.cp = c->cp.value[0];
    t.layout.ep = c->ep.n ? c->ep.value[0] : 1;
    t.layout.micro_batch = c->micro.value[0];
    if (!divide(&t, c->b->e->devices, c->said->dp, c->is_fixed)) {
        cn_fail(c->b->cx, CN_EINPUT, NULL,
                "no layout of %.0f accelerators divides a global batch of %.0f sequences",
                c->b->e->devices, t.global_batch);
        return cn_hint(c->b->cx, "tp x pp x cp x dp must give the accelerators, and micro_batch x "
                                 "dp must divide the batch");
    }
    cn_train_fault fault = cn_train_check(&t);
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        if (faults[i].fault != fault)
            continue;
        cn_fail(c->b->cx, CN_EINPUT, NULL, "%s (tp %d, pp %d, vp %d, cp %d, ep %d, dp %d)",
                faults[i].text, t.layout.tp, t.layout.pp, t.layout.vp, t.layout.cp, t.layout.ep,
                t.layout.dp);
        return cn_hint(c->b->cx, "%s", faults[i].hint);
    }
    return cn_fail(c->b->cx, CN_EINPUT, NULL, "no layout of %.0f accelerators is possible",
                   c->b->e->devices);
}

static void list_layout(cn_build *b, const chooser *c)
{
    const cn_layout *said = c->said, *l = &b->e->train.layout;
    const struct {
        const char *key;
        int said, value;
    } row[] = {
        {"cluster.parallel.tp", said->tp, l->tp},
        {"cluster.parallel.pp", said->pp, l->pp},
        {"cluster.parallel.vp", said->vp, l->vp},
        {"cluster.parallel.cp", said->cp, l->cp},
        {"cluster.parallel.ep", said->ep, l->ep},
        {"cluster.parallel.dp", said->dp, l->dp},
        {"cluster.parallel.zero", said->zero, l->zero},
        {"cluster.parallel.micro_batch", said->micro_batch, l->micro_batch},
    };
    static const char *const recomputes[] = {"none", "selective", "full"};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        if (row[i].said < 0)
            cn_assume_text(b, row[i].key, cn_text_of(b, "%d", row[i].value),
                           b->e->fits ? _("the smallest that fits") : _("nothing fits"), NULL);
    if (said_recompute(c) < 0)
        cn_assume_text(b, "training.recompute", recomputes[l->recompute],
                       b->e->fits ? _("the least that fits") : _("nothing fits"), NULL);
}

cn_code cn_settle_layout(cn_build *b)
{
    cn_estimate *e = b->e;
    chooser c = chooser_of(b);
    bool is_open = c.said->tp < 0 || c.said->pp < 0 || c.said->zero < 0 || said_recompute(&c) < 0;
    double asked = e->train.global_batch;
    if (!is_open && isnan(c.mem_ratio))
        c.mem_ratio = 1; /* the user's own layout: what fits at all, fits */
    c.mem_ratio = cn_assume(b, c.mem_ratio, CN_DEFAULT_mem_ratio);
    e->fits = choose(&c);
    if (isinf(c.best_bytes))
        return impossible(&c);
    e->train = c.best;
    e->mem_ratio = c.mem_ratio;
    if (e->train.global_batch != asked && !isnan(b->s->training.global_batch_tokens))
        cn_assume_text(b, "training.global_batch", cn_text_of(b, "%.0f", e->train.global_batch),
                       _("whole sequences for every replica"), NULL);
    cn_memory_eval(&e->train, &e->memory);
    list_layout(b, &c);
    return CN_OK;
}
