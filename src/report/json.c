/* json.c - a document for machines: one object, the document's data between what all answers have.
 */
#include "base/when.h"
#include "report/forms.h"

static cn_val *entry_val(cn_ctx *cx, const cn_problem_entry *e)
{
    cn_val *v = cn_val_obj(cx);
    cn_val_put(cx, v, "message", cn_val_str(cx, e->message));
    if (e->hint[0])
        cn_val_put(cx, v, "hint", cn_val_str(cx, e->hint));
    if (e->at.file)
        cn_val_put(cx, v, "file", cn_val_str(cx, e->at.file));
    if (e->at.line > 0)
        cn_val_put(cx, v, "line", cn_val_int(cx, e->at.line));
    if (e->at.col > 0)
        cn_val_put(cx, v, "column", cn_val_int(cx, e->at.col));
    return v;
}

cn_val *cn_json_document(cn_ctx *cx, const cn_doc *doc)
{
    char when[32];
    cn_val *root = cn_val_obj(cx), *warnings = cn_val_arr(cx);
    for (int i = 0; i < cx->n_warnings; i++)
        cn_val_push(cx, warnings, entry_val(cx, &cx->warning[i]));
    cn_val_put(cx, root, "schema", cn_val_str(cx, doc->schema));
    cn_val_put(cx, root, "generated", cn_val_str(cx, cn_when_text(cx->now_s, when)));
    cn_val_put(cx, root, "inputs", doc->inputs ? doc->inputs : cn_val_arr(cx));
    cn_val_put(cx, root, "warnings", warnings);
    for (size_t i = 0; doc->data && i < doc->data->n; i++)
        cn_val_put(cx, root, doc->data->key[i], doc->data->item[i]);
    return root;
}

void cn_json_report(cn_ctx *cx, const cn_doc *doc, cn_buf *out)
{
    cn_val_json(out, cn_json_document(cx, doc), 2);
    cn_buf_putc(out, '\n');
}
