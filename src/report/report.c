/* report.c - the choice of form, and finding things in a document. */
#include <string.h>

#include "report/forms.h"
#include "report/plain.h"
#include "report/text.h"

cn_code cn_report(cn_ctx *cx, const cn_doc *doc, const cn_report_opts *opts, cn_buf *out)
{
    static const cn_report_opts plain = {.format = CN_FORMAT_TEXT};
    if (cx->code == CN_ENOMEM)
        return cx->code; /* a builder ran out of memory: the document is not whole */
    opts = opts ? opts : &plain;
    switch (opts->format) {
    case CN_FORMAT_TEXT:
        cn_text_report(cx, doc, opts, out);
        break;
    case CN_FORMAT_JSON:
        cn_json_report(cx, doc, out);
        break;
    case CN_FORMAT_CSV:
        CN_TRY(cn_csv_report(cx, doc, opts->table, out));
        break;
    case CN_FORMAT_MD:
        cn_md_report(cx, doc, out);
        break;
    case CN_FORMAT_HTML:
        cn_html_report(cx, doc, opts->lang ? opts->lang : "en", out);
        break;
    }
    return out->failed || cx->code == CN_ENOMEM ? cn_nomem(cx) : CN_OK;
}

const cn_fig *cn_report_figure(const cn_doc *doc, const char *key)
{
    for (size_t i = 0; i < doc->n_blocks; i++) {
        const cn_doc_block *b = doc->block[i];
        for (size_t k = 0; b->kind == CN_BLOCK_FIGURES && k < b->n_figs; k++) {
            const cn_fig *found = cn_fig_find(b->fig[k], key);
            if (found)
                return found;
        }
    }
    return NULL;
}

static bool is_listed(const char *const *ids, size_t n, const char *id)
{
    for (size_t i = 0; i < n; i++) {
        if (strcmp(ids[i], id) == 0)
            return true;
    }
    return false;
}

static const char *id_of(const cn_doc_block *b)
{
    if (b->kind == CN_BLOCK_FIGURES)
        return "figures";
    if (b->kind == CN_BLOCK_TABLE)
        return b->table->id;
    return b->kind == CN_BLOCK_CHART ? b->chart->id : NULL;
}

const char *const *cn_report_tables(cn_ctx *cx, const cn_doc *doc)
{
    const char **ids = cn_arena_array(&cx->arena, doc->n_blocks + 1, sizeof *ids);
    size_t n = 0;
    if (!ids) {
        cn_nomem(cx);
        return NULL;
    }
    for (size_t i = 0; i < doc->n_blocks; i++) {
        const char *id = id_of(doc->block[i]);
        if (id && id[0] && !is_listed(ids, n, id))
            ids[n++] = id;
    }
    return ids;
}

const char *cn_report_plain(cn_ctx *cx, const char *text)
{
    return cn_plain(cx, text, CN_PLAIN_LINE);
}
