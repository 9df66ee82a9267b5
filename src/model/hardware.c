/* hardware.c - defaults of the calibrated constants, and facts about number formats. */
#include "model/hardware.h"

void cn_eff_default(cn_eff *e)
{
#define X(name, def, lo, hi, unit, help) e->name = def;
    CN_EFF_LIST(X)
#undef X
}

void cn_soft_default(cn_soft *s)
{
#define X(name, def, lo, hi, unit, help) s->name = def;
    CN_SOFT_LIST(X)
#undef X
}

static const struct {
    const char *name;
    cn_numeric numeric;
    double bytes; /* of one element in a matmul */
} precision[CN_N_PRECISIONS] = {
    [CN_PREC_FP32] = {"fp32", CN_FP32, 4},  [CN_PREC_TF32] = {"tf32", CN_TF32, 4},
    [CN_PREC_FP16] = {"fp16", CN_FP16, 2},  [CN_PREC_BF16] = {"bf16", CN_BF16, 2},
    [CN_PREC_FP8] = {"fp8", CN_FP8, 1},     [CN_PREC_FP8_ROW] = {"fp8-row", CN_FP8, 1},
    [CN_PREC_MXFP8] = {"mxfp8", CN_FP8, 1}, [CN_PREC_NVFP4] = {"nvfp4", CN_FP4, 0.5},
};

double cn_precision_bytes(cn_precision p)
{
    return precision[p].bytes;
}

cn_numeric cn_precision_numeric(cn_precision p)
{
    return precision[p].numeric;
}

const char *cn_precision_name(cn_precision p)
{
    return precision[p].name;
}
