/* kernel.c - see kernel.h for the formulas. */
#include <math.h>

#include "model/kernel.h"

double cn_gemm_flop_per_s(const cn_device *d, cn_numeric numeric)
{
    double peak = d->peak_flop_per_s[numeric];
    double ratio = d->eff.gemm_ratio;
    if (numeric == CN_FP8 || numeric == CN_INT8)
        ratio = d->eff.gemm_fp8_ratio;
    else if (numeric == CN_FP4)
        ratio = d->eff.gemm_fp4_ratio;
    else if (numeric == CN_FP32 || numeric == CN_TF32)
        ratio = d->eff.gemm_fp32_ratio;
    return peak > 0 ? peak * ratio : NAN;
}

/* Largest power of two that divides a width, up to 64; widths are whole numbers. */
static double pow2_part(double width)
{
    long long w = (long long)width;
    if (w <= 0)
        return 64;
    long long low = w & -w;
    return low > 64 ? 64 : (double)low;
}

double cn_align_loss(const cn_eff *e, double width)
{
    return 1 + e->align_loss * (1 / pow2_part(width) - 1.0 / 64);
}

double cn_gemm_shape(const cn_eff *e, double m, double n, double k)
{
    double align = fmax(cn_align_loss(e, n), cn_align_loss(e, k));
    return (1 + e->tile_m / m + e->tile_n / n + e->tile_k / k) * align;
}

double cn_stream_s(const cn_device *d, double bytes)
{
    return bytes / (d->mem_bytes_per_s * d->eff.hbm_ratio);
}
