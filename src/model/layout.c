/* layout.c - what a layout means: who holds what, and whether it can be. */
#include <math.h>

#include "model/train.h"

double cn_layout_devices(const cn_layout *l)
{
    return (double)l->tp * l->pp * l->dp * l->cp;
}

/*
 * Layers that do not divide over the stages leave gaps; frameworks put them where embedding and
 * head stand, so the last stage gets half of the gap.
 */
double cn_layout_stage_layers(const cn_layout *l, double n_layers, double *last)
{
    double chunks = (double)l->pp * l->vp;
    double heavy = ceil(n_layers / chunks - 1e-9) * l->vp;
    double gap = heavy * l->pp - n_layers;
    *last = heavy - fmin(heavy, ceil(gap / 2));
    if (l->pp == 1)
        *last = heavy = n_layers;
    return heavy;
}

static double etp_of(const cn_train *t)
{
    const cn_layout *l = &t->layout;
    return l->etp > 0 ? l->etp : l->ep > 1 ? 1 : l->tp;
}

/* Index of a block that stands before all others: few layers without experts, before layers with.
 */
static bool has_leading(const cn_shape *s)
{
    const cn_block *a = &s->block[0], *b = &s->block[1];
    return s->n_blocks > 1 && a->part == CN_PART_TRUNK && !(a->n_experts > 0) && b->n_experts > 0 &&
           a->n_layers < 0.5 * b->n_layers;
}

double cn_stage_share(const cn_shape *s, int i, double layers, bool from_back)
{
    const cn_block *b = &s->block[i];
    double all = cn_shape_layers(s);
    if (b->part == CN_PART_TOWER || !(all > 0))
        return 0;
    if (!has_leading(s))
        return layers * b->n_layers / all;
    double lead = s->block[0].n_layers;
    double mine = from_back ? fmax(0, layers - (all - lead)) : fmin(layers, lead);
    if (i == 0)
        return mine;
    return (layers - mine) * b->n_layers / (all - lead);
}

double cn_train_layer_params(const cn_train *t, double layers, bool from_back, double *experts)
{
    const cn_shape *s = t->shape;
    double dense = 0, routed = 0;
    for (int i = 0; i < s->n_blocks; i++) {
        const cn_block *b = &s->block[i];
        double n = cn_stage_share(s, i, layers, from_back);
        dense += n * (cn_block_attn_params(b) + cn_block_mlp_params(b));
        routed += n * b->n_experts * cn_block_expert_params(b);
    }
    *experts = routed / (t->layout.ep * etp_of(t));
    return dense / t->layout.tp + *experts;
}

double cn_train_dp_ranks(const cn_train *t)
{
    return (double)t->layout.dp * t->layout.cp;
}

double cn_train_expert_dp_ranks(const cn_train *t)
{
    const cn_layout *l = &t->layout;
    return fmax(1, (double)l->dp * l->cp * l->tp / (l->ep * etp_of(t)));
}

static cn_train_fault check_blocks(const cn_train *t)
{
    const cn_layout *l = &t->layout;
    for (int i = 0; i < t->shape->n_blocks; i++) {
        const cn_block *b = &t->shape->block[i];
        if (b->part == CN_PART_TOWER)
            continue;
        if (b->attn != CN_ATTN_NONE && fmod(b->n_heads, l->tp) != 0)
            return CN_TRAIN_TP_HEADS;
        if (b->n_experts > 0 && fmod(b->n_experts, l->ep) != 0)
            return CN_TRAIN_EP;
    }
    return CN_TRAIN_OK;
}

cn_train_fault cn_train_check(const cn_train *t)
{
    const cn_layout *l = &t->layout;
    if (l->tp < 1 || l->pp < 1 || l->vp < 1 || l->dp < 1 || l->cp < 1 || l->ep < 1 ||
        l->micro_batch < 1 || l->n_micro < 1)
        return CN_TRAIN_DEVICES;
    if (t->global_batch != (double)l->micro_batch * l->n_micro * l->dp)
        return CN_TRAIN_BATCH;
    if ((double)l->pp * l->vp > cn_shape_layers(t->shape) + 2)
        return CN_TRAIN_PP_LAYERS;
    if (l->vp > 1 && l->pp > 1 && l->n_micro % l->pp != 0)
        return CN_TRAIN_VP_MICRO;
    if ((double)l->ep * etp_of(t) > (double)l->dp * l->cp * l->tp)
        return CN_TRAIN_EP;
    if (fmod(t->seq, l->cp) != 0)
        return CN_TRAIN_CP_SEQ;
    if (!(t->device->peak_flop_per_s[cn_precision_numeric(t->precision)] > 0))
        return CN_TRAIN_PRECISION;
    return check_blocks(t);
}
