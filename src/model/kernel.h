/*
 * kernel.h - time of one kernel on one device: matmul, grouped matmul, fused attention, streaming.
 *
 * A matmul of m x n x k takes
 *
 *     t = 2 m n k / (peak x ratio) x shape(m, n, k) + launch
 *     shape = 1 + tile_m/m + tile_n/n + tile_k/k, times the loss from widths that do not fill
 * memory lines
 *
 * The three tile terms have the form of the roofline's memory term (reading and writing the three
 * matrices costs 2(mk + kn + mn) bytes, that is peak/bandwidth x (1/m + 1/n + 1/k) of the multiply
 * time) and of the loss in partly filled tiles and waves, so one constant per dimension holds both;
 * they are fitted per accelerator generation. Sources: [williams2009] roofline; [nvidia2023gemm]
 * tile and wave quantisation, alignment.
 */
#ifndef CARNOT_MODEL_KERNEL_H
#define CARNOT_MODEL_KERNEL_H

#include "model/hardware.h"

/* Multiply speed a large matmul reaches at a numeric; NaN if the device does not offer it.
 * [williams2009] */
double cn_gemm_flop_per_s(const cn_device *d, cn_numeric numeric);

/* Loss factor >= 1 of a width that is not a multiple of a memory line's elements. [nvidia2023gemm]
 */
double cn_align_loss(const cn_eff *e, double width);

/* Shape factor >= 1 of an m x n x k matmul. [williams2009] [nvidia2023gemm] */
double cn_gemm_shape(const cn_eff *e, double m, double n, double k);

/* Bytes through memory at streaming speed. [williams2009] */
double cn_stream_s(const cn_device *d, double bytes);

#endif
