/* scaling.c - see scaling.h. */
#include <math.h>

#include "model/scaling.h"

double cn_scaling_loss(const cn_scaling *s, double params, double tokens)
{
    return s->e + s->a / pow(params, s->alpha) + s->b / pow(tokens, s->beta);
}

double cn_scaling_floor_loss(const cn_scaling *s, double params)
{
    return s->e + s->a / pow(params, s->alpha);
}

double cn_scaling_tokens(const cn_scaling *s, double params, double loss)
{
    double left = loss - cn_scaling_floor_loss(s, params);
    return left > 0 ? pow(s->b / left, 1 / s->beta) : NAN;
}

/*
 * At the cheapest point the last percent of N and of D buy the same loss:
 * alpha a / N^alpha = beta b / D^beta. With u = a / N^alpha the loss above e is u (1 + alpha/beta).
 */
double cn_scaling_best_params(const cn_scaling *s, double loss)
{
    double u = (loss - s->e) / (1 + s->alpha / s->beta);
    return u > 0 ? pow(s->a / u, 1 / s->alpha) : NAN;
}

static bool outside(double x, double lo, double hi)
{
    return (lo > 0 && x < lo) || (hi > 0 && x > hi);
}

bool cn_scaling_outside(const cn_scaling *s, double params, double tokens)
{
    return outside(params, s->params_lo, s->params_hi) ||
           outside(tokens, s->tokens_lo, s->tokens_hi);
}
