/*
 * money.c - prices as figures in the estimate's currency.
 *
 * A role ("object storage", "egress") finds its rate among the provider's rates of its kind; a rate
 * the user names wins. What is not in the catalog is an unknown figure that says which rate is
 * missing: never zero.
 */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "estimate/build.h"

/* Endings of rate ids, the first that the provider has; unit is what the caller counts in. */
static const struct {
    const char *role, *kind, *unit;
    const char *ending[8];
} roles[] = {
    {"object",
     "storage",
     "GB-month",
     {"s3-standard", "gcs-standard", "blob-hot", "oss-standard", "bos-standard", "cos-standard"}},
    {"cold",
     "storage",
     "GB-month",
     {"s3-standard-ia", "gcs-nearline", "blob-cool", "oss-ia", "bos-infrequent", "cos-infrequent"}},
    {"requests",
     "request",
     "1000",
     {"s3-standard-get", "gcs-standard-get", "blob-hot-get", "oss-standard-get", "bos-standard-get",
      "cos-standard-get"}},
    {"file", "storage", "GB-month", {"persistent-125", "lustre-125mbps-tib", "mbps-tib"}},
    {"cross-zone", "traffic", "GB", {"inter-zone"}},
    {"cross-region", "traffic", "GB", {"inter-region"}},
    {"egress", "traffic", "GB", {"internet"}},
    {"import", "traffic", "GB", {"nat", "import"}},
    {"database", "database", "h", {"rds-m5.large", "database-small"}},
    {"cache", "database", "h", {"cache-m5.large", "cache-small"}},
    {"log-ingest", "logs", "GB", {"ingest"}},
    {"log-store", "logs", "GB-month", {"stored"}},
    {"metrics", "metrics", "series-month", {"metrics", "series"}},
    {"staff", "staff", "h", {"engineer"}},
    {"cpu", "cpu", "core-h", {"core"}},
    {"power", "power", "kWh", {"industrial"}},
};

static size_t role_index(const char *role)
{
    size_t i = 0;
    while (strcmp(roles[i].role, role) != 0)
        i++;
    return i;
}

static bool is_of(const cn_rate *r, const char *provider)
{
    if (provider)
        return r->provider && strcmp(r->provider, provider) == 0;
    return !r->provider || !r->provider[0] || strcmp(r->provider, "any") == 0 ||
           strcmp(r->provider, "generic") == 0 || strcmp(r->provider, "default") == 0;
}

static bool ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);
    return n >= m && strcmp(text + n - m, end) == 0;
}

static const cn_rate *search(cn_build *b, size_t role, const char *provider)
{
    size_t n;
    const cn_rate *all = cn_catalog_rates(b->cx, b->cat, &n);
    for (const char *const *w = roles[role].ending; *w; w++)
        for (size_t i = 0; i < n; i++)
            if (strcmp(all[i].kind, roles[role].kind) == 0 && is_of(&all[i], provider) &&
                ends_with(all[i].id, *w))
                return &all[i];
    return NULL;
}

const cn_rate *cn_rate_of(cn_build *b, const char *role, const char *said)
{
    if (said)
        return cn_catalog_rate(b->cx, b->cat, said);
    size_t i = role_index(role);
    const cn_rate *r = b->provider ? search(b, i, b->provider) : NULL;
    return r ? r : search(b, i, NULL);
}

/* "GB ingested", "1000 requests": the first word has to agree. */
static bool same_unit(const char *has, const char *wants)
{
    size_t n = strcspn(has, " ");
    return strlen(wants) == n && strncmp(has, wants, n) == 0;
}

/* 1 `from` in `to`; NULL if there is no rate. */
static cn_fig *exchange(cn_build *b, const char *from, const char *to)
{
    const char *label = _("exchange rate");
    double said = b->opts->fx_rate;
    if (said > 0 && (strcmp(from, "USD") == 0 || strcmp(to, "USD") == 0))
        return cn_fig_given(b, "fx_rate", label, "ratio",
                            strcmp(from, "USD") == 0 ? said : 1 / said);
    const cn_fx *fx = cn_catalog_fx(b->cx, b->cat, from, to);
    const cn_fx *back = fx ? NULL : cn_catalog_fx(b->cx, b->cat, to, from);
    const cn_fx *any = fx ? fx : back;
    if (!any)
        return NULL;
    const char *source = cn_text_of(b, "%s:%d, %s", any->source.file, any->source.line, any->date);
    return cn_fig_new(b->cx, "fx_rate", label, "ratio", fx ? fx->rate : 1 / back->rate,
                      CN_BASIS_CATALOG, source);
}

static cn_fig *in_currency(cn_build *b, cn_fig *price, const char *currency, const char *unit)
{
    if (!currency || !currency[0] || strcmp(currency, b->e->currency) == 0)
        return price;
    cn_fig *fx = exchange(b, currency, b->e->currency);
    if (!fx)
        return cn_fig_unknown(
            b->cx, price->key, price->label, unit,
            cn_text_of(b, _("no exchange rate from %s to %s"), currency, b->e->currency));
    return cn_fig_times(b, price->key, price->label, unit, price, fx);
}

cn_fig *cn_money_usd(cn_build *b, cn_fig *amount)
{
    if (strcmp(b->e->currency, "USD") == 0)
        return amount;
    cn_fig *fx = exchange(b, b->e->currency, "USD");
    if (!fx)
        fx = cn_fig_unknown(
            b->cx, "fx_rate", _("exchange rate"), "ratio",
            cn_text_of(b, _("no exchange rate from %s to %s"), b->e->currency, "USD"));
    return cn_fig_times(b, amount->key, amount->label, "USD", amount, fx);
}

static const char *per(cn_build *b, const char *currency, const char *unit)
{
    return cn_text_of(b, "%s/%s", currency && currency[0] ? currency : b->e->currency, unit);
}

cn_fig *cn_money_fact(cn_build *b, double amount, const char *currency, const char *unit,
                      const char *label, const cn_source *source, const char *date)
{
    const char *where =
        cn_text_of(b, "%s:%d, %s: %s", source->file ? source->file : "catalog", source->line,
                   date ? date : "-", source->text ? source->text : "-");
    cn_fig *f =
        cn_fig_new(b->cx, "price", label, per(b, currency, unit), amount, CN_BASIS_CATALOG, where);
    return in_currency(b, f, currency, per(b, NULL, unit));
}

cn_fig *cn_money_given(cn_build *b, double amount, const char *currency, const char *unit,
                       const char *label)
{
    cn_fig *f = cn_fig_given(b, "price", label, per(b, currency, unit), amount);
    return in_currency(b, f, currency, per(b, NULL, unit));
}

cn_fig *cn_money_rate(cn_build *b, const char *role, const char *said)
{
    const cn_rate *r = cn_rate_of(b, role, said);
    const char *unit = roles[role_index(role)].unit, *label = _("price");
    if (!r && said)
        return cn_fig_unknown(b->cx, "price", label, per(b, NULL, unit),
                              cn_text_of(b, _("the catalog has no rate \"%s\""), said));
    if (!r)
        return cn_fig_unknown(b->cx, "price", label, per(b, NULL, unit),
                              cn_text_of(b, _("the catalog has no rate for %s of %s"), role,
                                         b->provider ? b->provider : _("any provider")));
    if (!same_unit(r->unit, unit))
        return cn_fig_unknown(
            b->cx, "price", label, per(b, NULL, unit),
            cn_text_of(b, _("the rate %s is per %s, not per %s"), r->id, r->unit, unit));
    return cn_money_fact(b, r->price, r->currency, unit, label, &r->source, r->date);
}
