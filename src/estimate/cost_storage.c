/* cost_storage.c - data at rest: the set, its copies, checkpoints during and after the run. */
#include <math.h>

#include "base/unit.h"
#include "estimate/build.h"
#include "model/storage.h"

enum { OBJECT_MIB = 8 }; /* one read request fetches so much, a usual part size */

/* Stored bytes x time, as GB-months. */
static cn_fig *gb_months(cn_build *b, const char *label, double bytes, double seconds,
                         const char *formula)
{
    return cn_fig_formula(b, "gb_months", label, "GB-month", bytes / 1e9 * seconds / cn_month_s(),
                          formula, "aws2024s3");
}

static void add(cn_build *b, const char *id, const char *label, cn_calibre c, cn_fig *quantity,
                const char *role, const char *said)
{
    cn_item_add(b, id, label, CN_DIM_COST_storage, c, quantity, cn_money_rate(b, role, said));
}

/* Said, or tokens x bytes per token; of several epochs one copy is stored. */
double cn_stored_bytes(cn_build *b)
{
    const cn_spec_data *d = &b->s->data;
    if (!isnan(d->stored_bytes))
        return d->stored_bytes;
    double bytes;
    if (!isnan(d->samples) && !isnan(d->bytes_per_sample))
        bytes = d->samples * d->bytes_per_sample;
    else
        bytes = b->e->tokens / (d->epochs > 1 ? d->epochs : 1) * b->e->train.data_bytes_per_token;
    double factor = 1;
    char digits[64];
    const char *unit = cn_unit_scale(bytes, "bytes", &factor);
    cn_assume_text(b, "data.stored",
                   cn_text_of(b, "%s %s", cn_number_sig(bytes / factor, 4, digits), unit),
                   _("what is read once"), NULL);
    return bytes;
}

/* How long data is there: what is billed, or the run and what comes after. */
double cn_kept_s(cn_build *b)
{
    if (!isnan(b->s->storage.months))
        return b->s->storage.months * cn_month_s();
    return b->e->campaign.wall_s + cn_assume(b, b->s->storage.retention_s, CN_DEFAULT_retention_s);
}

static void dataset(cn_build *b, double bytes, double kept_s)
{
    const cn_spec_storage *s = &b->s->storage;
    double cold = isnan(s->cold_ratio) ? 0 : s->cold_ratio;
    double backups = cn_assume(b, s->backups, CN_DEFAULT_backups);
    add(b, "dataset", _("data set"), CN_CALIBRE_FIXED,
        gb_months(b, _("data set x time"), bytes * (1 - cold), kept_s, "stored bytes x months"),
        "object", s->dataset_tier);
    if (cold > 0)
        add(b, "dataset_cold", _("data set, cold share"), CN_CALIBRE_FIXED,
            gb_months(b, _("cold data x time"), bytes * cold, kept_s, "cold bytes x months"),
            "cold", s->cold_tier);
    if (backups > 0)
        add(b, "backups", _("backups of the data set"), CN_CALIBRE_FIXED,
            gb_months(b, _("backups x time"), bytes * backups, kept_s,
                      "stored bytes x copies x months"),
            "cold", s->cold_tier);
    if (s->cache_tier) {
        double hot = isnan(s->cache_bytes) ? bytes : s->cache_bytes;
        add(b, "cache", _("hot copy of the data set"), CN_CALIBRE_ELASTIC,
            gb_months(b, _("hot copy x run time"), hot, b->e->campaign.wall_s,
                      "hot bytes x months of the run"),
            "file", s->cache_tier);
    }
}

static void reads(cn_build *b)
{
    double bytes = b->e->tokens * b->e->train.data_bytes_per_token;
    double thousands = bytes / (OBJECT_MIB * 1048576.0) / 1000;
    add(b, "requests", _("read requests"), CN_CALIBRE_ELASTIC,
        cn_fig_formula(b, "requests", _("requests of 8 MiB"), "1000 requests", thousands,
                       "tokens x bytes_per_token / 8 MiB / 1000", "mohan2021"),
        "requests", NULL);
}

static void checkpoints(cn_build *b)
{
    cn_estimate *e = b->e;
    const cn_spec_checkpoint *s = &b->s->checkpoint;
    cn_retention r = {.steps = e->steps,
                      .every_steps = e->campaign.every_steps,
                      .keep_last = cn_assume(b, s->keep_last, CN_DEFAULT_keep_last),
                      .keep_every_steps = s->keep_every_steps > 0 ? s->keep_every_steps : 0,
                      .wall_s = e->campaign.wall_s};
    double during = fmax(0, cn_retention_seconds(&r)), after = cn_retention_final(&r);
    double rest = cn_assume(b, b->s->storage.retention_s, CN_DEFAULT_retention_s);
    double versions = cn_assume(b, b->s->storage.versions, CN_DEFAULT_versions);
    add(b, "checkpoints", _("checkpoints during the run"), CN_CALIBRE_ELASTIC,
        gb_months(b, _("checkpoints x time kept"), e->checkpoint_bytes, during,
                  "checkpoint_bytes x time each is kept by the rule"),
        "object", s->storage);
    add(b, "checkpoints_after", _("checkpoints kept after the run"), CN_CALIBRE_FIXED,
        gb_months(b, _("last checkpoints x retention"), e->checkpoint_bytes * after, rest,
                  "checkpoint_bytes x number kept x retention"),
        "object", s->storage);
    add(b, "versions", _("model versions"), CN_CALIBRE_FIXED,
        gb_months(b, _("models x retention"), cn_model_bytes(&e->train) * versions, rest,
                  "model bytes x versions x retention"),
        "object", b->s->storage.dataset_tier);
}

void cn_cost_storage(cn_build *b)
{
    b->stored_bytes = cn_stored_bytes(b);
    dataset(b, b->stored_bytes, cn_kept_s(b));
    reads(b);
    checkpoints(b);
}
