/*
 * shape.h - the shape of a transformer: what it is made of, how many parameters, how much work per
 * token.
 *
 * A model is an embedding, a list of homogeneous blocks (each with a count of layers), and a head.
 * A mixture of kinds (DeepSeek's dense first layers, alternating sliding windows, a vision tower)
 * is several blocks. Pure: numbers in, numbers out. Source: [vaswani2017], [shazeer2017],
 * [deepseekv2], [narayanan2021].
 */
#ifndef CARNOT_MODEL_SHAPE_H
#define CARNOT_MODEL_SHAPE_H

#include <stdbool.h>

enum { CN_MAX_BLOCKS = 8 };

typedef enum {
    CN_ATTN_GQA, /* multi-head, grouped-query and multi-query: by n_heads and n_kv_heads */
    CN_ATTN_MLA, /* multi-head latent attention: ranks below */
    CN_ATTN_NONE /* a block without attention (MLP only) */
} cn_attn_kind;

typedef enum {
    CN_PART_TRUNK,   /* the language model itself */
    CN_PART_ENCODER, /* encoder of an encoder-decoder: same tokens unless token_ratio says otherwise
                      */
    CN_PART_TOWER    /* vision or audio tower: own width, own tokens */
} cn_part_kind;

typedef struct cn_block {
    cn_part_kind part;
    double n_layers;
    double hidden; /* width of the residual stream of this block */
    /* attention */
    cn_attn_kind attn;
    double n_heads, n_kv_heads, head_dim;
    double q_rank;   /* MLA: 0 = queries straight from hidden */
    double kv_rank;  /* MLA */
    double rope_dim; /* MLA: rotary part of a query/key head; head_dim is the other part */
    double v_dim;    /* MLA: value head size */
    double window;   /* tokens a query sees; 0 = all before it */
    bool is_causal;
    bool has_cross; /* cross-attention to the encoder */
    bool has_bias;
    /* MLP */
    bool is_gated;                       /* three matrices instead of two */
    double ffn;                          /* width of the dense MLP; 0 = none */
    double n_experts, top_k, expert_ffn; /* n_experts 0 = dense */
    double shared_ffn;                   /* total width of always-on experts; 0 = none */
    /* tokens of this block per token of the trunk (tower: patches / text tokens); 1 for the trunk
     */
    double token_ratio;
    double seq;     /* own sequence length (tower: patches per image); 0 = the run's */
    bool is_frozen; /* forward only: no gradients, no optimizer state */
} cn_block;

typedef struct cn_shape {
    double hidden; /* of the trunk */
    double vocab;
    bool is_tied;     /* head shares the embedding matrix */
    bool has_head;    /* false: an encoder without a vocabulary head */
    double positions; /* learned position embeddings; 0 = rotary or none */
    double n_mtp;     /* multi-token-prediction layers, counted like one more layer each with a head
                         pass */
    double dropout_ratio; /* 0 = no dropout masks kept */
    int n_blocks;
    cn_block block[CN_MAX_BLOCKS];
} cn_shape;

/*
 * Why there can be no such model ("heads must lie in 1 .. 10^5"), or NULL. Formulas are only asked
 * about shapes without a fault: a head of width zero would have a negative time.
 */
const char *cn_shape_fault(const cn_shape *s);

/* Parameters, weights and biases and norms. Local ones (under tp, ep) are in memory.h. */
double cn_block_attn_params(const cn_block *b); /* one layer */
double cn_block_mlp_params(
    const cn_block *b); /* one layer: dense MLP, shared experts and router, no routed experts */
double cn_block_expert_params(const cn_block *b); /* one routed expert */
double cn_block_params(const cn_block *b);        /* one layer, all experts */
double cn_block_active_params(const cn_block *b); /* one layer, top_k experts */
double cn_shape_params(const cn_shape *s);        /* whole model */
double cn_shape_active_params(const cn_shape *s); /* used per token */
double cn_shape_lora_params(const cn_shape *s,
                            double rank);   /* adapters on every linear layer [hu2021] */
int cn_shape_last_trunk(const cn_shape *s); /* index of the block a multi-token layer copies */
double cn_shape_layers(const cn_shape *s);  /* trunk and encoder layers */

/*
 * Model FLOP of one trunk token's forward pass at sequence length seq: 2 per multiply-add, head
 * included, embedding look-up excluded, causal attention counted as the half it is. Training
 * without recompute is three times this (frozen blocks: twice). Source: [narayanan2021] appendix;
 * causal half as [dao2023].
 */
double cn_shape_forward_flop(const cn_shape *s, double seq);
double cn_block_attn_core_flop(const cn_block *b,
                               double seq); /* scores and values of one layer, one of its tokens */

/* Mean number of keys a query sees: seq, seq/2 causal, or the window's share. */
double cn_block_context(const cn_block *b, double seq);

#endif
