/*
 * step.c - time of one training step, as parts that add up.
 *
 * The problem: a step is millions of kernels and collectives on thousands of devices, and we have a
 * microsecond. The idea: a transformer's layers are alike, so price one layer of each block kind on
 * one device (matmuls, attention, streaming kernels, each with its measured efficiency), price the
 * collectives of that layer on the slowest tier they cross, multiply by layers and micro-batches,
 * and let the pipeline schedule say what is waiting.
 *
 *     micro-batch work of a stage   w = layers x (fwd + again + bwd) + head
 *     pipeline                      n_micro x max(w) + (pp-1)/vp x mean(w)          [narayanan2021]
 *     step = pipeline + exposed gradient traffic + optimizer + fixed
 *
 * Each kind of traffic is partly hidden: exposed = c - min(o c, window), with o the framework's
 * overlap and window the compute that nothing else hides behind. Parts are means over devices; what
 * the heaviest stage makes the others wait is in `bubble` together with the schedule's own bubble.
 *
 * Limits: stages are taken as alike but for embedding and head; expert load as balanced; congestion
 * as one factor. Sources: [narayanan2021], [korthikanti2022], [rajbhandari2020], [dao2023],
 * [qi2024].
 */
#include <math.h>

#include "model/coll.h"
#include "model/kernel.h"
#include "model/train.h"

/* What does not change within one evaluation. */
typedef struct {
    const cn_train *t;
    const cn_device *d;
    const cn_eff *e;
    const cn_soft *s;
    double tokens; /* of one micro-batch on one device (after cp) */
    double tp, cp, ep, etp;
    double mul;          /* seconds per matmul FLOP, linear layers */
    double mul16;        /* the same in 16 bits: attention, head */
    double per_byte;     /* seconds per streamed byte */
    double cast;         /* bytes of casting traffic per matmul input element */
    double speed;        /* framework's kernel quality */
    bool trains_weights; /* false: LoRA, weight gradients are negligible */
    cn_group g_tp, g_cp, g_ep, g_pp, g_dp, g_edp;
    cn_group g_copy; /* hybrid sharding: the same shard in other sharding groups */
} env;

/* Seconds on one device for one micro-batch of one layer. */
typedef struct {
    double fwd, bwd, again;  /* kernels */
    double tp, cp, ep, zero; /* exposed traffic, all passes */
    double link;             /* all traffic, hidden or not */
    double tp_bytes, cp_bytes, ep_bytes;
    double attn_fwd; /* scores and values, fused or not: what selective recompute repeats */
    double stream;   /* streaming kernels of the forward pass */
    double window;   /* compute that no traffic hides behind yet */
} layer;

/*
 * What is left of `comm` after hiding at most the share `overlap` behind a window of compute, which
 * it uses up: two kinds of traffic cannot hide behind the same kernel.
 */
static double exposed(double comm, double overlap, double *window)
{
    double hidden = fmin(overlap * comm, fmax(0, *window));
    *window -= hidden;
    return comm - hidden;
}

static double cast_bytes(const cn_eff *e, cn_precision p)
{
    switch (p) {
    case CN_PREC_FP8:
        return e->cast_fp8_bytes;
    case CN_PREC_FP8_ROW:
        return e->cast_row_bytes;
    case CN_PREC_MXFP8:
        return e->cast_mx_bytes;
    case CN_PREC_NVFP4:
        return e->cast_fp4_bytes;
    default:
        return 0;
    }
}

static cn_numeric side_numeric(cn_precision p)
{
    return p == CN_PREC_FP32 || p == CN_PREC_TF32 ? cn_precision_numeric(p)
           : p == CN_PREC_FP16                    ? CN_FP16
                                                  : CN_BF16;
}

static void set_groups(env *v)
{
    const cn_layout *l = &v->t->layout;
    const cn_fabric *f = v->t->fabric;
    double inner = v->tp * v->cp;
    v->g_tp = cn_group_of(v->d, f, v->tp, 1);
    v->g_cp = cn_group_of(v->d, f, v->cp, v->tp);
    v->g_ep = cn_group_of(v->d, f, v->ep, v->etp);
    v->g_pp = cn_group_of(v->d, f, l->pp > 1 ? 2 : 1, inner * l->dp);
    double dp = cn_train_dp_ranks(v->t),
           span = l->zero > 0 && l->shard > 0 ? fmin(l->shard, dp) : dp;
    v->g_dp = cn_group_of(v->d, f, span, v->tp);
    v->g_copy = cn_group_of(v->d, f, dp / span, v->tp * span);
    double edp = fmin(cn_train_expert_dp_ranks(v->t), span);
    v->g_edp = cn_group_of(v->d, f, edp, v->ep * v->etp);
    v->g_copy.bytes_per_s *= v->s->dp_link_ratio;
    v->g_dp.bytes_per_s *= v->s->dp_link_ratio;
    v->g_edp.bytes_per_s *= v->s->dp_link_ratio;
}

static env env_of(const cn_train *t)
{
    const cn_layout *l = &t->layout;
    env v = {.t = t, .d = t->device, .e = &t->device->eff, .s = t->soft};
    v.tp = l->tp;
    v.cp = l->cp;
    v.ep = l->ep;
    v.etp = l->etp > 0 ? l->etp : l->ep > 1 ? 1 : l->tp;
    v.tokens = l->micro_batch * t->seq / v.cp;
    v.speed = 1 / v.s->speed_ratio;
    v.mul = v.speed / cn_gemm_flop_per_s(v.d, cn_precision_numeric(t->precision));
    v.mul16 = v.speed / cn_gemm_flop_per_s(v.d, side_numeric(t->precision));
    v.per_byte = v.speed * cn_stream_s(v.d, 1);
    v.cast = cast_bytes(v.e, t->precision);
    v.trains_weights = t->method == CN_METHOD_FULL;
    set_groups(&v);
    return v;
}

/* One linear layer: forward m x n x k, backward for inputs and (if trained) weights. */
static void add_linear(const env *v, layer *y, double per_flop, double cast, double m, double n,
                       double k)
{
    const cn_eff *e = v->e;
    double im = 1 / m, in = 1 / n, ik = 1 / k;
    double align = fmax(cn_align_loss(e, n), cn_align_loss(e, k));
    double flop = 2 * m * n * k * per_flop * align;
    double fwd = flop * (1 + e->tile_m * im + e->tile_n * in + e->tile_k * ik);
    double dgrad = flop * (1 + e->tile_m * im + e->tile_n * ik + e->tile_k * in);
    double wgrad = flop * (1 + e->tile_m * in + e->tile_n * ik + e->tile_k * im);
    y->fwd += fwd + cast * m * k * v->per_byte;
    y->bwd += dgrad + (v->trains_weights ? wgrad : 0) + cast * m * n * v->per_byte;
}

static void add_stream(const env *v, layer *y, double bytes)
{
    y->stream += bytes * v->per_byte;
    y->fwd += bytes * v->per_byte;
    y->bwd += 2 * bytes * v->per_byte;
}

/* Projections around attention. */
static void add_projections(const env *v, layer *y, const cn_block *b, double m)
{
    double dv = b->v_dim > 0 ? b->v_dim : b->head_dim;
    double dq = b->attn == CN_ATTN_MLA ? b->head_dim + b->rope_dim : b->head_dim;
    double a = b->n_heads / v->tp;
    if (b->attn == CN_ATTN_MLA) {
        if (b->q_rank > 0)
            add_linear(v, y, v->mul, v->cast, m, b->q_rank, b->hidden);
        add_linear(v, y, v->mul, v->cast, m, a * dq, b->q_rank > 0 ? b->q_rank : b->hidden);
        add_linear(v, y, v->mul, v->cast, m, b->kv_rank + b->rope_dim, b->hidden);
        add_linear(v, y, v->mul, v->cast, m, a * (b->head_dim + dv), b->kv_rank);
    } else {
        double kv = fmax(b->n_kv_heads / v->tp, 1); /* fewer heads than ranks: copies */
        add_linear(v, y, v->mul, v->cast, m, a * dq + kv * (dq + dv), b->hidden);
    }
    add_linear(v, y, v->mul, v->cast, m, b->hidden, a * dv);
}

/* Scores and values: fused ([dao2023]: backward 2.5 x forward) or batched matmuls and streamed
 * scores. */
static void add_attention(const env *v, layer *y, const cn_block *b, double m)
{
    double dv = b->v_dim > 0 ? b->v_dim : b->head_dim;
    double seq = b->seq > 0 ? b->seq : v->t->seq;
    double flop = m * cn_block_attn_core_flop(b, v->t->seq) / v->tp;
    double fwd, bwd;
    if (v->t->has_flash) {
        double peak = v->d->peak_flop_per_s[side_numeric(v->t->precision)];
        double shape = (1 + v->e->attn_tile / seq) * (1 + v->e->attn_dim / dv) * v->speed;
        fwd = flop * shape / (peak * v->e->attn_ratio);
        bwd = 2.5 * flop * shape / (peak * v->e->attn_bwd_ratio);
    } else {
        double full = 4 * m * seq * b->n_heads / v->tp * b->head_dim;
        double peak = v->d->peak_flop_per_s[side_numeric(v->t->precision)];
        double scores = m * seq * b->n_heads / v->tp * v->s->score_bytes * v->per_byte;
        fwd = full * cn_align_loss(v->e, b->head_dim) / (peak * v->e->attn_unfused_ratio) + scores;
        bwd = 2 * fwd;
    }
    y->attn_fwd += fwd;
    y->fwd += fwd;
    y->bwd += bwd;
}

/* Rows each local expert multiplies, and how many experts are local. */
static void add_experts(const env *v, layer *y, const cn_block *b, double m)
{
    double local = b->n_experts / v->ep;
    double routed = m * b->top_k; /* balanced: as many tokens come as go */
    double rows = routed / local * (v->etp > 1 ? 1 : 1);
    double per_flop = v->mul / v->s->group_gemm_ratio;
    double f = b->expert_ffn / v->etp;
    layer one = {0};
    add_linear(v, &one, per_flop, v->cast, rows, (b->is_gated ? 2 : 1) * f, b->hidden);
    add_linear(v, &one, per_flop, v->cast, rows, b->hidden, f);
    y->fwd += local * one.fwd + v->s->moe_fixed_s;
    y->bwd += local * one.bwd + v->s->moe_fixed_s;
    add_linear(v, y, v->mul16, 0, m, b->n_experts, b->hidden);
    add_stream(v, y, v->s->moe_bytes * routed * b->hidden);
    add_stream(v, y, v->s->mlp_bytes * routed * f * (b->is_gated ? 1.5 : 1));
}

static void add_mlp(const env *v, layer *y, const cn_block *b, double m, double width)
{
    double f = width / v->tp;
    if (!(width > 0))
        return;
    add_linear(v, y, v->mul, v->cast, m, (b->is_gated ? 2 : 1) * f, b->hidden);
    add_linear(v, y, v->mul, v->cast, m, b->hidden, f);
    add_stream(v, y, v->s->mlp_bytes * m * f * (b->is_gated ? 1.5 : 1));
}

/* Tensor parallel: two all-reduces forward, two backward ([narayanan2021]); as gather and scatter
 * with sp. */
static void add_tp_traffic(const env *v, layer *y, const cn_block *b, double m, double passes)
{
    if (v->tp <= 1)
        return;
    double sums = (b->attn != CN_ATTN_NONE ? 1 : 0) + (b->has_cross ? 1 : 0) +
                  (b->ffn > 0 || b->shared_ffn > 0 || v->etp > 1 ? 1 : 0);
    double bytes = 2 * m * b->hidden;
    double comm = passes * sums * cn_allreduce_s(&v->g_tp, bytes);
    y->tp_bytes += passes * sums * 2 * (v->tp - 1) / v->tp * bytes;
    y->link += comm;
    y->tp += exposed(comm, v->s->tp_overlap_ratio, &y->window);
}

/* Context parallel: keys and values travel the ring, or heads are exchanged. */
static void add_cp_traffic(const env *v, layer *y, const cn_block *b, double m, double passes)
{
    if (v->cp <= 1 || b->attn == CN_ATTN_NONE)
        return;
    double kv = b->attn == CN_ATTN_MLA ? b->n_heads : b->n_kv_heads;
    double bytes, comm;
    if (v->t->layout.cp_kind == CN_CP_A2A) {
        bytes = 2 * m * (2 * b->n_heads + 2 * kv) * b->head_dim / v->tp;
        comm = passes * cn_alltoall_s(&v->g_cp, bytes);
    } else {
        bytes = 4 * m * fmax(kv / v->tp, 1) * b->head_dim * (v->cp - 1);
        comm = passes * (cn_p2p_s(&v->g_cp, bytes) + (v->cp - 2) * v->g_cp.hop_s);
    }
    y->cp_bytes += passes * bytes;
    y->link += comm;
    y->cp += exposed(comm, v->s->cp_overlap_ratio, &y->window);
}

/* Distinct places a token's top_k experts fall in, of n equal places. */
static double places_hit(double n, double top_k)
{
    return n * (1 - pow(1 - 1 / n, top_k));
}

/*
 * Expert parallel: dispatch and combine. A token crosses to each node that holds one of its experts
 * once, and inside the node goes once to each such rank. [deepseekv3] section 3.2
 */
static void add_ep_traffic(const env *v, layer *y, const cn_block *b, double m, double passes)
{
    if (v->ep <= 1 || !(b->n_experts > 0))
        return;
    double nodes = v->ep / v->g_ep.inside;
    double token = 2 * m / (v->t->layout.is_sp ? v->tp : 1) * b->hidden;
    double near = token * places_hit(v->ep, b->top_k) * (v->g_ep.inside - 1) / v->g_ep.inside;
    double far = nodes > 1 ? token * places_hit(nodes, b->top_k) * (nodes - 1) / nodes : 0;
    double comm = passes * 2 * cn_exchange_s(&v->g_ep, near, far);
    y->ep_bytes += passes * 2 * (near + far);
    y->link += comm;
    y->ep += exposed(comm, v->s->ep_overlap_ratio, &y->window);
}

static double recompute_s(const env *v, const layer *y)
{
    switch (v->t->layout.recompute) {
    case CN_RECOMPUTE_FULL:
        return y->fwd;
    case CN_RECOMPUTE_SELECTIVE: {
        double core = v->t->has_flash ? 0.5 * y->stream : y->attn_fwd;
        return core + v->s->selective_ratio * (y->fwd - y->attn_fwd - y->stream);
    }
    default:
        return 0;
    }
}

/* Half a byte and its scales read, two bytes written and read again, per weight and pass.
 * [dettmers2023] */
static void add_unpacking(const env *v, layer *y, const cn_block *b)
{
    double experts = b->n_experts * cn_block_expert_params(b) / (v->ep * v->etp);
    double weights = (cn_block_attn_params(b) + cn_block_mlp_params(b)) / v->tp + experts;
    double pass_s = 4.6 * weights * v->per_byte;
    y->fwd += pass_s;
    y->bwd += pass_s;
}

static layer layer_of(const env *v, const cn_block *b)
{
    layer y = {0};
    double m = v->tokens * b->token_ratio;
    double share = v->t->layout.is_sp ? 1 / v->tp : 0.5 + 0.5 / v->tp;
    if (b->attn != CN_ATTN_NONE) {
        add_projections(v, &y, b, m);
        add_attention(v, &y, b, m);
    }
    add_mlp(v, &y, b, m, b->ffn);
    add_mlp(v, &y, b, m, b->shared_ffn);
    if (b->n_experts > 0)
        add_experts(v, &y, b, m);
    add_stream(v, &y, v->s->elementwise_bytes * m * b->hidden * share);
    if (v->t->method ==
        CN_METHOD_QLORA) /* 4-bit weights are written out in 16 bits for each pass */
        add_unpacking(v, &y, b);
    double kernels = v->s->kernels_per_layer;
    if (b->n_experts > 0)
        kernels += v->s->moe_kernels + v->s->expert_kernels * b->n_experts / v->ep;
    double host = kernels * v->e->launch_s;
    y.fwd = fmax(y.fwd, host);
    y.bwd = b->is_frozen ? 0 : fmax(y.bwd, 2 * host);
    y.again = recompute_s(v, &y);
    y.window = y.fwd + y.bwd + y.again;
    double passes = (v->t->layout.recompute == CN_RECOMPUTE_FULL ? 2 : 1) + (b->is_frozen ? 0 : 1);
    add_tp_traffic(v, &y, b, m, passes);
    add_cp_traffic(v, &y, b, m, passes);
    add_ep_traffic(v, &y, b, m, passes);
    return y;
}

/* Logits and loss of one micro-batch on the last stage. */
static layer head_of(const env *v)
{
    const cn_shape *s = v->t->shape;
    layer y = {0};
    if (!s->has_head)
        return y;
    double n = s->vocab / v->tp;
    add_linear(v, &y, v->mul16, 0, v->tokens, n, s->hidden);
    /* forward and backward together; the fused loss skips the fp32 copies */
    double bytes = v->s->loss_bytes * (v->t->has_fused_loss ? 0.5 : 1);
    y.fwd += bytes * v->tokens * n * v->per_byte;
    return y;
}

static void scale_add(layer *sum, const layer *y, double n)
{
    sum->fwd += n * y->fwd;
    sum->bwd += n * y->bwd;
    sum->again += n * y->again;
    sum->window += n * y->window;
    sum->tp += n * y->tp;
    sum->cp += n * y->cp;
    sum->ep += n * y->ep;
    sum->link += n * y->link;
    sum->tp_bytes += n * y->tp_bytes;
    sum->cp_bytes += n * y->cp_bytes;
    sum->ep_bytes += n * y->ep_bytes;
}

static double total(const layer *y)
{
    return y->fwd + y->bwd + y->again + y->tp + y->cp + y->ep + y->zero;
}

/* Parameters on one device of an average stage, with embeddings spread over the stages. */
static double stage_params(const env *v, double *experts)
{
    const cn_shape *s = v->t->shape;
    double pp = v->t->layout.pp;
    double body = cn_train_layer_params(v->t, cn_shape_layers(s) / pp, true, experts);
    double edge = s->vocab * s->hidden * (s->has_head && !s->is_tied ? 2 : 1) / v->tp / pp;
    return body + edge;
}

static double trained_share(const env *v)
{
    if (v->trains_weights)
        return 1;
    return fmin(1, 2 * v->t->lora_rank / v->t->shape->hidden); /* [hu2021] two thin matrices each */
}

/* ZeRO-3: weights gathered forward and backward, gradients scattered, every micro-batch.
 * [rajbhandari2020] */
static double zero3_traffic(const env *v, double dense, double experts)
{
    const cn_layout *l = &v->t->layout;
    double gathers = l->keeps_shards ? 1 : 2;
    double grad = (v->t->has_fp32_grads ? 4 : 2) * trained_share(v);
    double per_param = 2 * gathers + grad;
    return cn_gather_s(&v->g_dp, per_param * dense) + cn_gather_s(&v->g_edp, per_param * experts) +
           (gathers + 1) * v->g_dp.hop_s * cn_shape_layers(v->t->shape) / l->pp;
}

/* Once a step: gradients summed; with sharded optimizer states scattered, then weights gathered. */
static double gradient_traffic(const env *v, double dense, double experts)
{
    double grad = (v->t->has_fp32_grads ? 4 : 2) * trained_share(v);
    double copies = cn_allreduce_s(&v->g_copy, grad * (dense + experts) / v->g_dp.ranks);
    if (v->t->layout.zero == 3) /* weights and gradients of a group travel with each micro-batch */
        return copies;
    double weight = 2 * trained_share(v);
    if (v->t->layout.zero == 0)
        return cn_allreduce_s(&v->g_dp, grad * dense) + cn_allreduce_s(&v->g_edp, grad * experts);
    return copies + cn_gather_s(&v->g_dp, (grad + weight) * dense) +
           cn_gather_s(&v->g_edp, (grad + weight) * experts);
}

/* Bytes moved per locally updated parameter: states read and written, gradient read, weight
 * written. */
static double optimizer_bytes(cn_optimizer o)
{
    static const double bytes[CN_N_OPTIMIZERS] = {
        [CN_OPT_ADAMW] = 30, [CN_OPT_ADAMW8] = 18, [CN_OPT_ADAFACTOR] = 16,
        [CN_OPT_MUON] = 22,  [CN_OPT_SGD] = 22,
    };
    return bytes[o];
}

static double optimizer_s(const env *v, double dense, double experts)
{
    const cn_layout *l = &v->t->layout;
    bool shards = l->zero >= 1;
    double mine = dense / (shards ? v->g_dp.ranks : 1) + experts / (shards ? v->g_edp.ranks : 1);
    mine *= trained_share(v);
    double held = (dense + experts) / (l->zero >= 3 ? v->g_dp.ranks : 1) * trained_share(v);
    double bytes = optimizer_bytes(v->t->optimizer) * mine + v->s->grad_bytes * held;
    double muon = 0;
    if (v->t->optimizer ==
        CN_OPT_MUON) /* five Newton-Schulz rounds of three products [jordan2024] */
        muon = 30 * v->t->shape->hidden * mine * v->mul16;
    return bytes * v->per_byte + muon;
}

/* Activations one device keeps for one micro-batch, from the memory model. */
static double kept_bytes(const cn_train *t)
{
    cn_train one = *t;
    cn_memory m;
    one.layout.offload = 0;
    one.layout.n_micro = 1;
    cn_memory_eval(&one, &m);
    return m.activations_bytes;
}

/*
 * Over the host link: gradients down and weights up once a step (optimizer), weights up twice a
 * micro-batch, activations down and up; all but the optimizer's part hides behind compute.
 * [ren2021]
 */
static double offload_s(const env *v, double held, double *window)
{
    const cn_layout *l = &v->t->layout;
    double rate = v->t->host_bytes_per_s, sum = 0, each = 0;
    if (!l->offload)
        return 0;
    if (!(rate > 0))
        return NAN;
    double shard = l->zero >= 1 ? v->g_dp.ranks : 1;
    if (l->offload & CN_OFFLOAD_OPTIMIZER)
        sum += 6 * held / shard * trained_share(v) / rate;
    if (l->offload & CN_OFFLOAD_WEIGHTS)
        each += 2 * 2 * held / (l->zero >= 3 ? shard : 1) / rate;
    if (l->offload & CN_OFFLOAD_ACTIVATIONS)
        each += 2 * kept_bytes(v->t) / rate;
    return sum + l->n_micro * exposed(each, 1, window);
}

/* Heaviest stage and mean stage of one micro-batch. */
static void stages(const env *v, const layer *body, const layer *tower, const layer *head,
                   double *heavy, double *mean)
{
    const cn_layout *l = &v->t->layout;
    double n = cn_shape_layers(v->t->shape), last = n;
    double most = cn_layout_stage_layers(l, n, &last);
    double each = n > 0 ? total(body) / n : 0;
    double first_s = most * each + total(tower);
    double last_s = last * each + total(head);
    *mean = (total(body) + total(tower) + total(head)) / l->pp;
    *heavy = l->pp == 1 ? *mean : fmax(first_s, last_s);
}

static double bubble_factor(const cn_layout *l)
{
    double slots = (l->pp - 1.0) / l->vp;
    return l->schedule == CN_SCHED_ZERO_BUBBLE ? slots / 3 : slots; /* [qi2024] */
}

static double recompute_flop(const env *v)
{
    const cn_train *t = v->t;
    double fwd = cn_shape_forward_flop(t->shape, t->seq);
    double head = t->shape->has_head ? 2 * t->shape->vocab * t->shape->hidden : 0;
    double core = 0;
    for (int i = 0; i < t->shape->n_blocks; i++) {
        const cn_block *b = &t->shape->block[i];
        core += b->n_layers * b->token_ratio * cn_block_attn_core_flop(b, t->seq);
    }
    switch (t->layout.recompute) {
    case CN_RECOMPUTE_FULL:
        return fwd - head;
    case CN_RECOMPUTE_SELECTIVE:
        return (t->has_flash ? 0 : core) + v->s->selective_ratio * (fwd - head - core);
    default:
        return 0;
    }
}

/* Forward, gradients of inputs, gradients of weights: the last only where weights are trained. */
static double train_passes(const cn_train *t)
{
    return t->method == CN_METHOD_FULL ? 3 : 2;
}

static double frozen_flop(const cn_train *t)
{
    double sum = 0;
    for (int i = 0; i < t->shape->n_blocks; i++) {
        const cn_block *b = &t->shape->block[i];
        if (b->is_frozen)
            sum += b->n_layers * b->token_ratio *
                   (2 * cn_block_active_params(b) + cn_block_attn_core_flop(b, t->seq));
    }
    return sum;
}

static void set_flop(const env *v, cn_step *out)
{
    const cn_train *t = v->t;
    double tokens = t->global_batch * t->seq;
    double fwd = cn_shape_forward_flop(t->shape, t->seq);
    double passes = train_passes(t);
    double again = recompute_flop(v);
    double peak = t->device->peak_flop_per_s[cn_precision_numeric(t->precision)];
    double devices = cn_layout_devices(&t->layout);
    out->model_flop = tokens * (passes * fwd - (passes - 1) * frozen_flop(t));
    out->hardware_flop = out->model_flop + tokens * again;
    out->ideal_s = out->model_flop / (devices * peak);
    out->recompute_s = tokens * again / (devices * peak);
}

static double nodes_of(const cn_train *t)
{
    return fmax(1, cn_layout_devices(&t->layout) / fmax(1, t->fabric->per_node));
}

static void set_rest(const env *v, cn_step *out)
{
    const cn_train *t = v->t;
    double busy = out->ideal_s + out->recompute_s + out->kernels_s + out->tp_s + out->cp_s +
                  out->ep_s + out->pp_s + out->bubble_s + out->dp_s + out->optimizer_s +
                  out->offload_s;
    out->straggler_s = busy * v->s->straggler_ratio * log2(nodes_of(t));
    out->fixed_s = v->s->step_fixed_s + v->s->micro_fixed_s * t->layout.n_micro;
    out->time_s = busy + out->straggler_s + out->fixed_s;
    if (t->data_bytes_per_s > 0) {
        double need = t->global_batch * t->seq * t->data_bytes_per_token / t->data_bytes_per_s;
        out->data_s = fmax(0, need - out->time_s);
        out->time_s += out->data_s;
    }
    double devices = cn_layout_devices(&t->layout);
    double peak = t->device->peak_flop_per_s[cn_precision_numeric(t->precision)];
    out->mfu_ratio = out->model_flop / (devices * peak * out->time_s);
    out->hfu_ratio = out->hardware_flop / (devices * peak * out->time_s);
    out->tokens_per_s_per_device = t->global_batch * t->seq / (devices * out->time_s);
}

void cn_step_eval(const cn_train *t, cn_step *out)
{
    env v = env_of(t);
    const cn_layout *l = &t->layout;
    const cn_shape *s = t->shape;
    layer body = {0}, tower = {0}, head = head_of(&v);
    for (int i = 0; i < s->n_blocks; i++) {
        layer y = layer_of(&v, &s->block[i]);
        bool is_tower = s->block[i].part == CN_PART_TOWER;
        scale_add(is_tower ? &tower : &body, &y, s->block[i].n_layers);
        if (s->n_mtp > 0 && i == cn_shape_last_trunk(s)) {
            layer one = head_of(&v);
            scale_add(&head, &one, s->n_mtp);
            scale_add(&head, &y, s->n_mtp);
        }
    }
    double experts = 0, params = stage_params(&v, &experts), dense = params - experts;
    double n = l->n_micro, window = body.window / l->pp;
    if (l->zero == 3) {
        double comm = zero3_traffic(&v, dense, experts);
        body.link += comm * l->pp;
        body.zero = exposed(comm, v.s->dp_overlap_ratio, &window) * l->pp;
    }
    double heavy, mean;
    stages(&v, &body, &tower, &head, &heavy, &mean);
    layer all = body;
    scale_add(&all, &tower, 1);
    scale_add(&all, &head, 1);
    *out = (cn_step){0};
    set_flop(&v, out);
    double each = n / l->pp;
    out->kernels_s = each * (all.fwd + all.bwd + all.again) - out->ideal_s - out->recompute_s;
    out->tp_s = each * all.tp;
    out->cp_s = each * all.cp;
    out->ep_s = each * all.ep;
    double hop_bytes = 2 * v.tokens * s->hidden / (l->is_sp ? v.tp : 1);
    double p2p = l->pp > 1 ? 2 * l->vp * cn_p2p_s(&v.g_pp, hop_bytes) : 0;
    out->pp_s = n * exposed(p2p, v.s->pp_overlap_ratio, &window);
    out->bubble_s = n * (heavy - mean) + bubble_factor(l) * (mean + p2p / l->vp);
    out->offload_s = offload_s(&v, params, &window);
    double grads = gradient_traffic(&v, dense, experts);
    window = fmin(window, all.bwd / l->pp); /* the last micro-batch's backward pass */
    out->dp_s = each * all.zero + exposed(grads, v.s->dp_overlap_ratio, &window);
    out->optimizer_s = optimizer_s(&v, dense, experts);
    out->link_s = each * all.link + n * p2p + grads;
    out->tp_bytes = each * all.tp_bytes;
    out->cp_bytes = each * all.cp_bytes;
    out->ep_bytes = each * all.ep_bytes;
    out->pp_bytes = l->pp > 1 ? n * 2 * l->vp * hop_bytes : 0;
    out->dp_bytes = (l->zero == 3 ? n * 6 : 4) * params;
    set_rest(&v, out);
}

double cn_step_spread_ratio(const cn_train *t)
{
    for (int i = 0; i < t->shape->n_blocks; i++)
        if (t->shape->block[i].n_experts > 0)
            return t->soft->moe_spread_ratio;
    return t->soft->spread_ratio;
}
