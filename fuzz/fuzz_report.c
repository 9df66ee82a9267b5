/*
 * fuzz_report.c - a document all of whose texts are the input, in every form: whatever a file of
 * somebody else says, the answer is UTF-8, steers no terminal and closes what it opens.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "report/report.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool is_true)
{
    if (!is_true)
        abort();
}

static cn_doc *document(cn_ctx *cx, const char *text)
{
    const cn_col cols[] = {{"a", text, text, CN_COL_TEXT}, {"b", text, text, CN_COL_MONEY}};
    const double y[] = {1, -2};
    const char *points[] = {text, text};
    cn_doc *doc = cn_doc_new(cx, text, text, text);
    cn_doc_figure(cx, cn_doc_figures(cx, doc, text, text),
                  cn_fig_new(cx, text, text, text, 1, CN_BASIS_GIVEN, text));
    cn_table *t = cn_doc_table(cx, doc, text, text, cols, 2);
    cn_cell *cell = cn_table_row(cx, t);
    cn_cell_text(cx, &cell[0], text);
    cn_cell_text(cx, &cell[1], text);
    for (int kind = CN_CHART_WATERFALL; kind <= CN_CHART_SCATTER; kind++) {
        cn_chart *c = cn_doc_chart(cx, doc, (cn_chart_kind)kind, text, text, text);
        c->finding = text;
        cn_chart_series(cx, c, text, 2, NULL, y, points);
    }
    cn_doc_note(cx, doc, "%s", text);
    cn_doc_code(cx, doc, text, text);
    cn_report_explain(cx, doc, doc->block[0]->fig[0]);
    cn_warn(cx, NULL, "%s", text);
    return doc;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static cn_ctx cx;
    cn_ctx_init(&cx, 0);
    char *text = size < 4096 ? cn_arena_strn(&cx.arena, (const char *)data, size) : NULL;
    for (int f = CN_FORMAT_TEXT; text && f <= CN_FORMAT_HTML; f++) {
        cn_buf out = {0};
        size_t bad;
        const cn_report_opts opts = {.format = (cn_format)f, .width = f == CN_FORMAT_TEXT ? 40 : 0};
        check(cn_report(&cx, document(&cx, text), &opts, &out) == CN_OK);
        if (f != CN_FORMAT_CSV) {
            check(cn_utf8_valid(out.data, out.len, &bad));
            check(!memchr(out.data, '\033', out.len) && !memchr(out.data, '\r', out.len));
        }
        cn_buf_free(&out);
    }
    cn_ctx_done(&cx);
    return 0;
}
