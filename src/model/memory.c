/*
 * memory.c - peak memory of one device, on the heaviest pipeline stage, as parts that add up.
 *
 * The problem: the peak is where model states, activations of all micro-batches in flight, the live
 * layer and the logits meet, and it is a different stage for different models. The idea: count what
 * a block keeps per token for its backward pass, multiply by tokens, layers and micro-batches in
 * flight, add states and the largest temporary, do so for the first and for the last stage, and
 * keep the larger.
 *
 * Per layer and token, in elements of the compute type (see kept_*): inputs and outputs of both
 * norms 4h; queries, keys, values and attention output; MLP pre-activations and products; for
 * experts the routed copies. With dropout this is the 34 sbh + 5 a s^2 b of [korthikanti2022].
 * Sequence parallel divides the norm part, tensor parallel the rest. In flight: min(m, p - i)
 * micro-batches (1F1B), 1 + (p-1)/(p v) of all layers (interleaved) [narayanan2021]. States:
 * [rajbhandari2020]; LoRA [hu2021]; 4-bit base weights [dettmers2023]. Limits: the allocator's
 * slack and the libraries' context are a share and a constant.
 */
#include <math.h>

#include "model/train.h"

typedef struct {
    const cn_train *t;
    double elem;        /* bytes of a kept element */
    double input;       /* bytes of a kept matmul input (8-bit formats keep 8 bits) */
    double tokens;      /* of one micro-batch on this device */
    double tp, seq_div; /* divisors of the tensor-parallel and the sequence-parallel part */
    double etp;
} mem_env;

static mem_env env_of(const cn_train *t)
{
    const cn_layout *l = &t->layout;
    bool is32 = t->precision == CN_PREC_FP32 || t->precision == CN_PREC_TF32;
    mem_env v = {.t = t, .elem = is32 ? 4 : 2};
    v.input = fmin(v.elem, fmax(1, cn_precision_bytes(t->precision)));
    v.tokens = l->micro_batch * t->seq / l->cp;
    v.tp = l->tp;
    v.seq_div = l->is_sp ? l->tp : 1;
    v.etp = l->etp > 0 ? l->etp : l->ep > 1 ? 1 : l->tp;
    return v;
}

/* Bytes per token that attention keeps. */
static double kept_attention(const mem_env *v, const cn_block *b)
{
    if (b->attn == CN_ATTN_NONE)
        return 0;
    double dv = b->v_dim > 0 ? b->v_dim : b->head_dim;
    double dq = b->attn == CN_ATTN_MLA ? b->head_dim + b->rope_dim : b->head_dim;
    double kv = b->attn == CN_ATTN_MLA ? b->n_heads : b->n_kv_heads;
    double kv_local = fmax(kv / v->tp, 1);
    double qkv = b->n_heads / v->tp * dq + kv_local * (dq + dv);
    double ranks = b->attn == CN_ATTN_MLA ? 2 * (b->q_rank + b->kv_rank) + b->rope_dim : 0;
    double out = b->n_heads / v->tp * dv;
    double scores = 0;
    if (!v->t->has_flash && v->t->layout.recompute == CN_RECOMPUTE_NONE) {
        double drop = v->t->shape->dropout_ratio > 0 ? 3 : 0; /* mask and dropped scores */
        scores = (2 + drop) * b->n_heads / v->tp * (b->seq > 0 ? b->seq : v->t->seq);
    }
    return v->elem * (qkv + ranks) + v->input * out + scores + 4 * b->n_heads / v->tp;
}

static double kept_mlp(const mem_env *v, const cn_block *b, double width, double divisor)
{
    double f = width / divisor;
    return (b->is_gated ? 2 : 1) * v->elem * f + v->input * f;
}

static double kept_experts(const mem_env *v, const cn_block *b)
{
    if (!(b->n_experts > 0))
        return 0;
    double copies =
        v->input * b->hidden; /* routed in; what comes out is weighted before the last matmul */
    double each = copies + kept_mlp(v, b, b->expert_ffn, v->etp);
    return b->top_k * each + 8 * b->n_experts;
}

/* Bytes one layer keeps for one micro-batch without recompute. */
static double kept_layer(const mem_env *v, const cn_block *b)
{
    double drop = v->t->shape->dropout_ratio > 0 ? 2 : 0;
    double norms = (2 * v->elem + 2 * v->input + drop) * b->hidden / v->seq_div;
    double mlp = kept_mlp(v, b, b->ffn + b->shared_ffn, v->tp) + kept_experts(v, b);
    double sum = v->tokens * b->token_ratio * (norms + kept_attention(v, b) + mlp);
    return sum * v->t->soft->keep_ratio;
}

/* Outputs of norms and activation functions: cheap to compute again, so selective recompute drops
 * them. */
static double cheap_layer(const mem_env *v, const cn_block *b)
{
    double norms = 2 * v->input * b->hidden / v->seq_div;
    double products =
        v->input * ((b->ffn + b->shared_ffn) / v->tp + b->top_k * b->expert_ffn / v->etp);
    return v->tokens * b->token_ratio * (norms + products);
}

/*
 * The same after the run's recompute policy. Selective recompute repeats the attention core when it
 * is not fused (its scores are not counted then, see kept_attention) [korthikanti2022], else norms
 * and activation functions, and in frameworks that choose by operator a share of the matmuls.
 */
static double kept_after(const mem_env *v, const cn_block *b)
{
    double input = v->tokens * b->token_ratio * v->elem * b->hidden / v->seq_div;
    double all = kept_layer(v, b);
    switch (v->t->layout.recompute) {
    case CN_RECOMPUTE_FULL:
        return input;
    case CN_RECOMPUTE_SELECTIVE:
        if (v->t->has_flash)
            all -= cheap_layer(v, b);
        return fmax(input, all * v->t->soft->selective_keep_ratio);
    default:
        return all;
    }
}

/* What layers keep for one micro-batch, by block; towers apart. */
typedef struct {
    double kept[CN_MAX_BLOCKS], live, tower, matrix;
} layer_kept;

/* Largest weight matrix of a block on this device. */
static double largest_matrix(const mem_env *v, const cn_block *b)
{
    double up = b->is_gated ? 2 : 1;
    double dense = up * (b->ffn > b->shared_ffn ? b->ffn : b->shared_ffn) / v->tp * b->hidden;
    double expert = up * b->expert_ffn / v->etp * b->hidden;
    double qkv = b->hidden * b->n_heads / v->tp * b->head_dim;
    return fmax(fmax(dense, expert), qkv);
}

static layer_kept means(const mem_env *v)
{
    const cn_shape *s = v->t->shape;
    layer_kept out = {0};
    for (int i = 0; i < s->n_blocks; i++) {
        const cn_block *b = &s->block[i];
        double live = v->t->layout.recompute == CN_RECOMPUTE_FULL ? kept_layer(v, b) : 0;
        double kept = b->is_frozen ? 0 : kept_after(v, b);
        out.live = fmax(out.live, live);
        out.matrix = fmax(out.matrix, largest_matrix(v, b));
        if (b->part == CN_PART_TOWER)
            out.tower += b->n_layers * kept;
        else
            out.kept[i] = kept;
    }
    return out;
}

/* Micro-batches whose activations a stage holds at its peak. */
static double alive_copies(const cn_layout *l, int stage)
{
    double m = l->n_micro, p = l->pp;
    if (l->pp == 1)
        return 1;
    if (l->schedule == CN_SCHED_GPIPE)
        return m;
    double depth = p - stage;
    if (l->vp > 1)
        depth = p * (1 + (p - 1) / (p * l->vp)) - 2.0 * stage / l->vp;
    return fmin(m, fmax(1, depth));
}

static double stage_kept(const cn_train *t, const layer_kept *k, double layers, bool from_back)
{
    double sum = 0;
    for (int i = 0; i < t->shape->n_blocks; i++)
        sum += k->kept[i] * cn_stage_share(t->shape, i, layers, from_back);
    return sum;
}

static double stage_edge_params(const cn_train *t, int stage)
{
    const cn_shape *s = t->shape;
    double matrix = s->vocab * s->hidden / t->layout.tp;
    bool first = stage == 0, last = stage == t->layout.pp - 1;
    double n = (first ? 1 : 0) + (last && s->has_head ? 1 : 0);
    if (first && last && s->is_tied)
        n = 1;
    double positions = first ? s->positions * s->hidden : 0;
    return n * matrix + positions;
}

static double tower_params(const cn_shape *s, bool trained_only)
{
    double sum = 0;
    for (int i = 0; i < s->n_blocks; i++)
        if (s->block[i].part == CN_PART_TOWER && !(trained_only && s->block[i].is_frozen))
            sum += s->block[i].n_layers * cn_block_params(&s->block[i]);
    return sum;
}

/* Bytes of optimizer state per trained parameter, master copy included. */
double cn_optimizer_state_bytes(cn_optimizer o, bool is32)
{
    static const double bytes[CN_N_OPTIMIZERS] = {
        [CN_OPT_ADAMW] = 12, [CN_OPT_ADAMW8] = 6, [CN_OPT_ADAFACTOR] = 4.1,
        [CN_OPT_MUON] = 8,   [CN_OPT_SGD] = 8,
    };
    return bytes[o] - (is32 ? 4 : 0);
}

/* Bytes per stored base weight: as computed with, 8-bit copies kept for 8-bit training, 4-bit for
 * QLoRA. */
static double weight_bytes(const cn_train *t, bool is32)
{
    if (t->method == CN_METHOD_QLORA)
        return 0.5 + 1.0 / 16; /* [dettmers2023] 4 bits and block scales */
    if (t->has_fp8_weights)
        return 1;
    return is32 ? 4 : 2;
}

static void set_states(const cn_train *t, double layers, int stage, cn_memory *out)
{
    const cn_layout *l = &t->layout;
    bool is32 = t->precision == CN_PREC_FP32 || t->precision == CN_PREC_TF32;
    double experts = 0, body = cn_train_layer_params(t, layers, stage > 0, &experts);
    double tower = stage == 0 ? tower_params(t->shape, false) / l->tp : 0;
    double dense = body - experts + stage_edge_params(t, stage) + tower;
    double span = l->shard > 0 ? l->shard : cn_train_dp_ranks(t);
    double d = fmax(1, span), e = fmax(1, fmin(span, cn_train_expert_dp_ranks(t)));
    bool is_lora = t->method != CN_METHOD_FULL;
    double lora = is_lora ? cn_shape_lora_params(t->shape, t->lora_rank) *
                                (layers / fmax(1, cn_shape_layers(t->shape))) / l->tp
                          : 0;
    double frozen =
        stage == 0 ? (tower_params(t->shape, false) - tower_params(t->shape, true)) / l->tp : 0;
    double td = is_lora ? lora : dense - frozen, te = is_lora ? 0 : experts;
    double w = weight_bytes(t, is32), g = is32 || t->has_fp32_grads ? 4 : 2;
    double s = cn_optimizer_state_bytes(t->optimizer, is32);
    out->params_local = dense + experts + lora;
    out->weights_bytes = l->zero >= 3 ? w * (dense / d + experts / e) : w * (dense + experts);
    out->weights_bytes += is_lora ? 2 * lora : 0;
    out->gradients_bytes = l->zero >= 2 ? g * (td / d + te / e) : g * (td + te);
    out->optimizer_bytes = l->zero >= 1 ? s * (td / d + te / e) : s * (td + te);
    if (l->offload & CN_OFFLOAD_OPTIMIZER)
        out->optimizer_bytes = 0;
    if (l->offload & CN_OFFLOAD_WEIGHTS)
        out->weights_bytes = 0;
}

/* Gathered layers (ZeRO-3: the live one and the next), the largest matrix's gradient, gathered
 * sequence. */
static double buffer_bytes(const mem_env *v, const layer_kept *mean)
{
    const cn_train *t = v->t;
    double units = 0, experts = 0;
    if (t->layout.zero >= 3 || (t->layout.offload & CN_OFFLOAD_WEIGHTS))
        units = 2 * weight_bytes(t, v->elem == 4) * cn_train_layer_params(t, 1, true, &experts);
    double gradient = t->method == CN_METHOD_FULL ? 4 * mean->matrix : 0;
    double gathered = t->layout.is_sp ? 2 * v->elem * v->tokens * t->shape->hidden : 0;
    return units + gradient + gathered;
}

static void eval_stage(const mem_env *v, const layer_kept *mean, int stage, double layers,
                       cn_memory *out)
{
    const cn_train *t = v->t;
    *out = (cn_memory){.stage = stage};
    set_states(t, layers, stage, out);
    double one = stage_kept(t, mean, layers, stage > 0);
    out->activations_bytes = one * alive_copies(&t->layout, stage);
    if (stage == 0)
        out->activations_bytes += mean->tower * alive_copies(&t->layout, 0);
    if (t->layout.offload & CN_OFFLOAD_ACTIVATIONS)
        out->activations_bytes = 2 * one / fmax(1, layers); /* double buffer */
    out->recompute_bytes = mean->live;
    if (stage == t->layout.pp - 1 && t->shape->has_head) {
        double logits = v->tokens * t->shape->vocab / v->tp;
        out->logits_bytes = logits * t->soft->logit_bytes * (t->has_fused_loss ? 0.5 : 1);
    }
    out->buffers_bytes = buffer_bytes(v, mean);
    out->allocated_bytes = out->weights_bytes + out->gradients_bytes + out->optimizer_bytes +
                           out->activations_bytes + out->recompute_bytes + out->logits_bytes +
                           out->buffers_bytes;
    out->fragmentation_bytes = 0.05 * (out->activations_bytes + out->recompute_bytes +
                                       out->logits_bytes + out->buffers_bytes);
    out->context_bytes = 1.2e9;
    out->peak_bytes = out->allocated_bytes + out->fragmentation_bytes + out->context_bytes;
}

void cn_memory_eval(const cn_train *t, cn_memory *out)
{
    mem_env v = env_of(t);
    layer_kept mean = means(&v);
    double last, heavy = cn_layout_stage_layers(&t->layout, cn_shape_layers(t->shape), &last);
    eval_stage(&v, &mean, 0, heavy, out);
    if (t->layout.pp == 1)
        return;
    cn_memory other;
    eval_stage(&v, &mean, t->layout.pp - 1, last, &other);
    if (other.peak_bytes > out->peak_bytes)
        *out = other;
    if (t->layout.pp > 2) { /* a middle stage may hold more layers than the last */
        eval_stage(&v, &mean, 1, heavy, &other);
        if (other.peak_bytes > out->peak_bytes)
            *out = other;
    }
}
