/*
 * scaling.h - published laws between parameters, tokens and loss.
 *
 *     loss(N, D) = e + a / N^alpha + b / D^beta                                     [hoffmann2022]
 *
 * A law is a fit to one data set, tokenizer and range of sizes; outside that range it is an
 * extrapolation, and cn_scaling_outside() says which side. [besiroglu2024]
 */
#ifndef CARNOT_MODEL_SCALING_H
#define CARNOT_MODEL_SCALING_H

#include <stdbool.h>

typedef struct cn_scaling {
    double e, a, b, alpha, beta;
    double params_lo, params_hi, tokens_lo, tokens_hi; /* fitted on; 0 or NaN = not known */
} cn_scaling;

double cn_scaling_loss(const cn_scaling *s, double params, double tokens); /* [hoffmann2022] */

/* Lowest loss this many parameters can reach, with tokens without end. [hoffmann2022] */
double cn_scaling_floor_loss(const cn_scaling *s, double params);

/* Tokens to reach a loss; NaN if it is at or below the floor. [hoffmann2022] */
double cn_scaling_tokens(const cn_scaling *s, double params, double loss);

/* Parameters with which a loss costs the least work, FLOP = 6 N D. [hoffmann2022] equation 4 */
double cn_scaling_best_params(const cn_scaling *s, double loss);

/* Is the point outside the range the law was fitted on? [hoffmann2022] */
bool cn_scaling_outside(const cn_scaling *s, double params, double tokens);

#endif
