/*
 * shape.c - parameters and work of a transformer, from its shape alone.
 *
 * Everything is counted per layer of a block and summed; matrices first, biases and norms after, so
 * that a reader can hold each line against the model's config. Work counts 2 FLOP per multiply-add.
 */
#include <stddef.h>

#include "model/shape.h"

/* Width of one query/key head and of one value head. */
static double qk_dim(const cn_block *b)
{
    return b->attn == CN_ATTN_MLA ? b->head_dim + b->rope_dim : b->head_dim;
}

static double value_dim(const cn_block *b)
{
    return b->v_dim > 0 ? b->v_dim : b->head_dim;
}

/* [deepseekv2] section 2.1: low-rank queries (unless q_rank is 0) and jointly compressed keys and
 * values. */
static double mla_matrix(const cn_block *b)
{
    double q_out = b->n_heads * qk_dim(b);
    double q = b->q_rank > 0 ? b->hidden * b->q_rank + b->q_rank * q_out : b->hidden * q_out;
    double kv = b->hidden * (b->kv_rank + b->rope_dim) +
                b->kv_rank * b->n_heads * (b->head_dim + value_dim(b));
    return q + kv + b->n_heads * value_dim(b) * b->hidden;
}

/* [vaswani2017]: q, k, v and output projections; fewer key/value heads with grouped queries. */
static double gqa_matrix(const cn_block *b)
{
    double q = b->hidden * b->n_heads * qk_dim(b);
    double kv = b->hidden * b->n_kv_heads * (qk_dim(b) + value_dim(b));
    return q + kv + b->n_heads * value_dim(b) * b->hidden;
}

static double attn_matrix(const cn_block *b)
{
    if (b->attn == CN_ATTN_NONE)
        return 0;
    double self = b->attn == CN_ATTN_MLA ? mla_matrix(b) : gqa_matrix(b);
    return b->has_cross ? self + gqa_matrix(b) : self;
}

static double attn_bias(const cn_block *b)
{
    if (!b->has_bias || b->attn != CN_ATTN_GQA)
        return 0;
    double one = b->n_heads * qk_dim(b) + b->n_kv_heads * (qk_dim(b) + value_dim(b)) + b->hidden;
    return b->has_cross ? 2 * one : one;
}

static double mlp_matrix(const cn_block *b, double width)
{
    return (b->is_gated ? 3 : 2) * b->hidden * width;
}

static double norms(const cn_block *b)
{
    double rank = b->attn == CN_ATTN_MLA ? b->q_rank + b->kv_rank : 0;
    double n = (b->attn == CN_ATTN_NONE ? 1 : 2) + (b->has_cross ? 1 : 0);
    return n * b->hidden * (b->has_bias ? 2 : 1) + rank;
}

double cn_block_attn_params(const cn_block *b)
{
    return attn_matrix(b) + attn_bias(b) + norms(b);
}

double cn_block_mlp_params(const cn_block *b)
{
    double bias = b->has_bias && b->ffn > 0 ? (b->is_gated ? 2 : 1) * b->ffn + b->hidden : 0;
    double router = b->hidden * b->n_experts;
    return mlp_matrix(b, b->ffn) + mlp_matrix(b, b->shared_ffn) + router + bias;
}

double cn_block_expert_params(const cn_block *b)
{
    double bias = b->has_bias ? (b->is_gated ? 2 : 1) * b->expert_ffn + b->hidden : 0;
    return b->n_experts > 0 ? mlp_matrix(b, b->expert_ffn) + bias : 0;
}

double cn_block_params(const cn_block *b)
{
    return cn_block_attn_params(b) + cn_block_mlp_params(b) +
           b->n_experts * cn_block_expert_params(b);
}

double cn_block_active_params(const cn_block *b)
{
    return cn_block_attn_params(b) + cn_block_mlp_params(b) + b->top_k * cn_block_expert_params(b);
}

int cn_shape_last_trunk(const cn_shape *s)
{
    int last = 0;
    for (int i = 0; i < s->n_blocks; i++)
        if (s->block[i].part == CN_PART_TRUNK)
            last = i;
    return last;
}

/* The block a multi-token-prediction layer copies: the last one of the trunk. */
static const cn_block *last_trunk(const cn_shape *s)
{
    return &s->block[cn_shape_last_trunk(s)];
}

static double mtp_params(const cn_shape *s, double layer)
{
    return s->n_mtp * (layer + 2 * s->hidden * s->hidden + 3 * s->hidden);
}

static double edge_params(const cn_shape *s)
{
    double head = s->has_head && !s->is_tied ? s->vocab * s->hidden : 0;
    return s->vocab * s->hidden + head + s->positions * s->hidden + s->hidden;
}

double cn_shape_params(const cn_shape *s)
{
    double sum = edge_params(s) + mtp_params(s, cn_block_params(last_trunk(s)));
    for (int i = 0; i < s->n_blocks; i++)
        sum += s->block[i].n_layers * cn_block_params(&s->block[i]);
    return sum;
}

double cn_shape_active_params(const cn_shape *s)
{
    double sum = edge_params(s) + mtp_params(s, cn_block_active_params(last_trunk(s)));
    for (int i = 0; i < s->n_blocks; i++)
        sum += s->block[i].n_layers * cn_block_active_params(&s->block[i]);
    return sum;
}

/* Two thin matrices, in x r and r x out, beside each linear layer of the trunk; routed experts stay
 * as they are. */
static double block_lora(const cn_block *b, double rank)
{
    double dv = value_dim(b), q = b->n_heads * qk_dim(b);
    double width = b->ffn + b->shared_ffn;
    double attn = 0;
    if (b->attn == CN_ATTN_MLA)
        attn = 3 * b->hidden + b->q_rank + q + b->kv_rank + b->rope_dim + b->kv_rank +
               b->n_heads * (b->head_dim + 2 * dv) + b->hidden;
    else if (b->attn == CN_ATTN_GQA)
        attn = 3 * b->hidden + q + b->n_kv_heads * (qk_dim(b) + dv) + b->n_heads * dv + b->hidden;
    double mlp = width > 0 ? (b->is_gated ? 3 : 2) * (b->hidden + width) : 0;
    return rank * (attn + mlp);
}

double cn_shape_lora_params(const cn_shape *s, double rank)
{
    double sum = 0;
    for (int i = 0; i < s->n_blocks; i++)
        if (s->block[i].part != CN_PART_TOWER)
            sum += s->block[i].n_layers * block_lora(&s->block[i], rank);
    return sum;
}

double cn_shape_layers(const cn_shape *s)
{
    double n = 0;
    for (int i = 0; i < s->n_blocks; i++)
        n += s->block[i].part == CN_PART_TOWER ? 0 : s->block[i].n_layers;
    return n;
}

double cn_block_context(const cn_block *b, double seq)
{
    double s = b->seq > 0 ? b->seq : seq;
    double w = b->window > 0 && b->window < s ? b->window : s;
    if (!b->is_causal)
        return w;
    /* queries before the window is full see half of it on average */
    return w - w * w / (2 * s);
}

double cn_block_attn_core_flop(const cn_block *b, double seq)
{
    if (b->attn == CN_ATTN_NONE)
        return 0;
    double per_key = 2 * b->n_heads * (qk_dim(b) + value_dim(b));
    double cross = b->has_cross ? per_key * seq : 0;
    return per_key * cn_block_context(b, seq) + cross;
}

/* Forward FLOP of one layer for one of its own tokens. */
static double layer_flop(const cn_block *b, double seq)
{
    double matrix = attn_matrix(b) + mlp_matrix(b, b->ffn + b->shared_ffn) +
                    b->hidden * b->n_experts + b->top_k * mlp_matrix(b, b->expert_ffn);
    return 2 * matrix + cn_block_attn_core_flop(b, seq);
}

double cn_shape_forward_flop(const cn_shape *s, double seq)
{
    double head = s->has_head ? 2 * s->vocab * s->hidden : 0;
    double sum = head * (1 + s->n_mtp);
    for (int i = 0; i < s->n_blocks; i++) {
        const cn_block *b = &s->block[i];
        sum += b->n_layers * b->token_ratio * layer_flop(b, seq);
    }
    if (s->n_mtp > 0)
        sum += s->n_mtp * (layer_flop(last_trunk(s), seq) + 4 * s->hidden * s->hidden);
    return sum;
}

/* Bounds no published model comes near; NaN lies in none of them. A width is whole: 0 or from 1 on.
 */
#define BOUND(T, field, lo, hi, says)                                                              \
    {                                                                                              \
        offsetof(T, field), lo, hi, says                                                           \
    }

typedef struct {
    size_t offset;
    double lo, hi;
    const char *says;
} bound;

static const bound of_model[] = {
    BOUND(cn_shape, hidden, 1, 1e6, "hidden must lie in 1 .. 10^6"),
    BOUND(cn_shape, vocab, 0, 1e8, "vocab must lie in 0 .. 10^8"),
    BOUND(cn_shape, positions, 0, 1e9, "positions must lie in 0 .. 10^9"),
    BOUND(cn_shape, n_mtp, 0, 100, "mtp must lie in 0 .. 100"),
};

static const bound of_block[] = {
    BOUND(cn_block, n_layers, 0, 1e5, "layers must lie in 1 .. 10^5, dense_layers within them"),
    BOUND(cn_block, hidden, 1, 1e6, "hidden must lie in 1 .. 10^6"),
    BOUND(cn_block, ffn, 0, 1e8, "ffn must lie in 0 .. 10^8"),
    BOUND(cn_block, shared_ffn, 0, 1e8, "shared_ffn must lie in 0 .. 10^8"),
    BOUND(cn_block, window, 0, 1e9, "window must lie in 0 .. 10^9"),
    BOUND(cn_block, n_experts, 0, 1e5, "experts must lie in 0 .. 10^5"),
    BOUND(cn_block, seq, 0, 1e9, "tokens must lie in 0 .. 10^9"),
};

static const bound of_share[] = {
    BOUND(cn_block, token_ratio, 0, 1e6, "tokens_ratio must lie in 0 .. 10^6"),
};

static const bound of_heads[] = {
    BOUND(cn_block, n_heads, 1, 1e5, "heads must lie in 1 .. 10^5"),
    BOUND(cn_block, n_kv_heads, 1, 1e5, "kv_heads must lie in 1 .. heads"),
    BOUND(cn_block, head_dim, 1, 1e5, "head_dim must lie in 1 .. 10^5"),
    BOUND(cn_block, v_dim, 0, 1e5, "v_dim must lie in 0 .. 10^5"),
};

static const bound of_ranks[] = {
    BOUND(cn_block, q_rank, 0, 1e6, "q_rank must lie in 0 .. 10^6"),
    BOUND(cn_block, kv_rank, 1, 1e6, "kv_rank must lie in 1 .. 10^6 with attention mla"),
    BOUND(cn_block, rope_dim, 0, 1e5, "rope_dim must lie in 0 .. 10^5"),
};

static const bound of_experts[] = {
    BOUND(cn_block, top_k, 1, 1e5, "top_k must lie in 1 .. experts"),
    BOUND(cn_block, expert_ffn, 1, 1e8, "expert_ffn must lie in 1 .. 10^8"),
};

static const char *outside(const void *of, const bound *list, size_t n, double least)
{
    for (size_t i = 0; i < n; i++) {
        double x = *(const double *)(const void *)((const char *)of + list[i].offset);
        if (!(x >= list[i].lo && x <= list[i].hi) || (x > 0 && x < least))
            return list[i].says;
    }
    return NULL;
}
#define OUTSIDE(of, list) outside(of, list, sizeof(list) / sizeof *(list), 1)

static const char *block_fault(const cn_block *b)
{
    const char *fault = OUTSIDE(b, of_block);
    if (!fault)
        fault = outside(b, of_share, 1, 0);
    if (!fault && b->attn != CN_ATTN_NONE) {
        fault = OUTSIDE(b, of_heads);
        if (!fault && b->n_kv_heads > b->n_heads)
            fault = of_heads[1].says;
    }
    if (!fault && b->attn == CN_ATTN_MLA)
        fault = OUTSIDE(b, of_ranks);
    if (!fault && b->n_experts > 0) {
        fault = OUTSIDE(b, of_experts);
        if (!fault && b->top_k > b->n_experts)
            fault = of_experts[0].says;
    }
    return fault;
}

const char *cn_shape_fault(const cn_shape *s)
{
    const char *fault = OUTSIDE(s, of_model);
    for (int i = 0; !fault && i < s->n_blocks; i++)
        fault = block_fault(&s->block[i]);
    return fault || cn_shape_layers(s) > 0 ? fault : of_block[0].says;
}
