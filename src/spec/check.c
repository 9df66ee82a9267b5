/*
 * check.c - what each key of a spec allows and all of them together do not: contradictions.
 *
 * Only what was said is compared; what is left open is chosen later so that it fits. Each fault
 * stands at the key that has to change.
 */
#include <math.h>

#include "base/lang.h"
#include "spec/spec_parts.h"

/* The layout of one spec: where it stands, what it says, and of what. */
typedef struct {
    cn_ctx *cx;
    const cn_node *node;
    const cn_spec *s;
    const cn_layout *l;
    const cn_shape *shape; /* NULL: the model is unknown */
    double n;              /* accelerators; NaN */
} layout;

static const cn_at *at_key(const cn_node *map, const char *key)
{
    const cn_node *v = cn_node_get(map, key);
    return v ? &v->at : &map->at;
}

/* A degree, or 1 where none is said. */
static double known(int degree)
{
    return degree > 0 ? degree : 1;
}

/* "cp: auto" leaves room for a factor; cp not written at all is 1. */
static void check_devices(const layout *a)
{
    const cn_layout *l = a->l;
    double said = known(l->tp) * known(l->pp) * known(l->cp) * known(l->dp);
    bool is_cp_open = l->cp < 0 && cn_node_get(a->node, "cp");
    bool is_whole = l->tp > 0 && l->pp > 0 && l->dp > 0 && !is_cp_open;
    if (!(a->n >= 1) || (is_whole ? said == a->n : fmod(a->n, said) == 0))
        return;
    cn_problem(a->cx, &a->node->at, "tp x pp x cp x dp is %.0f, accelerators are %.0f", said, a->n);
    cn_hint(a->cx, "write \"dp: auto\" to fill what is left, or change a degree");
}

static void check_batch(const layout *a)
{
    const cn_layout *l = a->l;
    double batch = a->s->training.global_batch, at_once = known(l->micro_batch) * known(l->dp);
    if (!(batch >= 1) || l->dp < 1 || l->micro_batch < 1)
        return;
    if (fmod(batch, at_once) != 0) {
        cn_problem(a->cx, &a->node->at,
                   "global_batch %.0f is not a multiple of micro_batch x dp = %.0f", batch,
                   at_once);
        cn_hint(a->cx, "change micro_batch or global_batch");
    } else if (l->n_micro > 0 && batch != at_once * l->n_micro) {
        cn_problem(a->cx, at_key(a->node, "accumulation"),
                   "micro_batch x dp x accumulation is %.0f, global_batch is %.0f",
                   at_once * l->n_micro, batch);
        cn_hint(a->cx, "leave accumulation out: it follows from the others");
    }
}

static void check_heads(const layout *a)
{
    for (int i = 0; a->l->tp > 1 && i < a->shape->n_blocks; i++) {
        const cn_block *b = &a->shape->block[i];
        if (b->part != CN_PART_TRUNK || b->attn == CN_ATTN_NONE || fmod(b->n_heads, a->l->tp) == 0)
            continue;
        cn_problem(a->cx, at_key(a->node, "tp"), "tp %d does not divide the %.0f attention heads",
                   a->l->tp, b->n_heads);
        cn_hint(a->cx, "choose a tp that divides the heads");
        return;
    }
}

/* Two stages more than layers are allowed: embedding and head may stand alone. */
static void check_stages(const layout *a)
{
    const cn_layout *l = a->l;
    double stages = known(l->pp) * known(l->vp), layers = cn_shape_layers(a->shape);
    if (stages > layers + 2) {
        cn_problem(a->cx, at_key(a->node, "pp"), "pp x vp is %.0f, the model has %.0f layers",
                   stages, layers);
        cn_hint(a->cx, "lower pp or vp");
    }
    if (l->vp > 1 && l->pp == 1) {
        cn_problem(a->cx, at_key(a->node, "vp"), "vp %d interleaves pipeline stages, and pp is 1",
                   l->vp);
        cn_hint(a->cx, "write \"vp: 1\", or a pp above 1");
    }
}

static double fewest_experts(const cn_shape *s)
{
    double n = 0;
    for (int i = 0; i < s->n_blocks; i++)
        if (s->block[i].n_experts > 0)
            n = n > 0 ? fmin(n, s->block[i].n_experts) : s->block[i].n_experts;
    return n;
}

static void check_experts(const layout *a)
{
    const cn_layout *l = a->l;
    double experts = fewest_experts(a->shape), group = known(l->dp) * known(l->cp) * known(l->tp);
    if (l->ep <= 1)
        return;
    if (experts == 0 || fmod(experts, l->ep) != 0) {
        cn_problem(a->cx, at_key(a->node, "ep"), "ep %d does not divide the %.0f experts", l->ep,
                   experts);
        cn_hint(a->cx, experts > 0 ? "choose an ep that divides the experts"
                                   : "a model without experts has \"ep: 1\"");
    } else if (l->dp > 0 && l->tp > 0 && l->cp > 0 && l->ep * known(l->etp) > group) {
        cn_problem(a->cx, at_key(a->node, "ep"), "ep x etp is %.0f, dp x cp x tp is %.0f",
                   l->ep * known(l->etp), group);
        cn_hint(a->cx, "experts are spread over dp x cp x tp: lower ep, or raise dp");
    }
}

static void check_shards(const layout *a)
{
    const cn_layout *l = a->l;
    double ranks = a->n / (known(l->tp) * known(l->pp));
    if (l->shard <= 1)
        return;
    if (l->zero == 0) {
        cn_problem(a->cx, at_key(a->node, "shard"), "shard %d splits what zero 0 keeps whole",
                   l->shard);
        cn_hint(a->cx, "write \"zero: 3\", or leave shard out");
    } else if (l->tp > 0 && l->pp > 0 && ranks >= 1 && fmod(ranks, l->shard) != 0) {
        cn_problem(a->cx, at_key(a->node, "shard"), "shard %d does not divide dp x cp = %.0f",
                   l->shard, ranks);
        cn_hint(a->cx, "a group of shards is a part of dp x cp");
    }
}

static void check_sequence(const layout *a)
{
    double sequence = a->s->training.sequence;
    if (a->l->cp <= 1 || !(sequence >= 1) || fmod(sequence, a->l->cp) == 0)
        return;
    cn_problem(a->cx, at_key(a->node, "cp"), "cp %d does not divide the sequence of %.0f", a->l->cp,
               sequence);
    cn_hint(a->cx, "choose a cp that divides the sequence");
}

static void check_recompute(const layout *a)
{
    int here = (int)a->l->recompute, there = a->s->training.recompute;
    if (here < 0 || there < 0 || here == there)
        return;
    cn_problem(a->cx, at_key(a->node, "recompute"), "training.recompute says otherwise");
    cn_hint(a->cx, "say it once");
}

static void check_layout(cn_ctx *cx, const cn_node *root, const cn_spec *s)
{
    const cn_node *node = cn_node_path(root, "cluster.parallel");
    if (!node || s->cluster.is_auto_layout)
        return;
    const layout a = {.cx = cx,
                      .node = node,
                      .s = s,
                      .l = &s->cluster.layout,
                      .shape = s->model ? &s->model->shape : NULL,
                      .n = s->cluster.accelerators};
    check_devices(&a);
    check_batch(&a);
    check_shards(&a);
    check_sequence(&a);
    check_recompute(&a);
    if (!a.shape)
        return;
    check_heads(&a);
    check_stages(&a);
    check_experts(&a);
}

static void check_goal(cn_ctx *cx, const cn_node *root, const cn_spec *s)
{
    const cn_spec_training *t = &s->training;
    const cn_node *loss = cn_node_path(root, "data.target_loss"),
                  *steps = cn_node_path(root, "training.steps");
    if (loss && !isnan(s->data.tokens) && !isnan(s->data.target_loss)) {
        cn_problem(cx, &loss->at, "both tokens and target_loss are given");
        cn_hint(cx, "keep one; --set data.tokens=null takes the other out");
    }
    double tokens = t->steps * t->global_batch * t->sequence;
    if (steps && fabs(tokens / s->data.tokens - 1) > 0.01)
        cn_warn(cx, &steps->at, _("steps decide: %.4g tokens, not the %.4g of data.tokens"), tokens,
                s->data.tokens);
}

void cn_spec_check(cn_ctx *cx, const cn_node *root, const cn_spec *s)
{
    check_layout(cx, root, s);
    check_goal(cx, root, s);
}
