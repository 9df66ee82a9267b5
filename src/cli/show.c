/* show.c - where the answer goes: standard output, --out, --html; and progress on the way. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "cli/frame.h"

bool cn_wants_color(const char *setting, FILE *stream)
{
    if (strcmp(setting, "auto") != 0)
        return strcmp(setting, "always") == 0;
    const char *no = getenv("NO_COLOR"), *term = getenv("TERM");
    return !(no && no[0]) && term && strcmp(term, "dumb") != 0 && isatty(fileno(stream));
}

/* Columns of the terminal behind a stream; 0 = not a terminal. */
static int terminal_width(FILE *stream)
{
    struct winsize size;
    if (!isatty(fileno(stream)))
        return 0;
    if (ioctl(fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col >= 40)
        return size.ws_col;
    return 80;
}

static cn_code write_stream(cn_ctx *cx, FILE *stream, const char *text, size_t len)
{
    errno = 0;
    if ((len && fwrite(text, 1, len, stream) != len) || fflush(stream) != 0) {
        cn_fail(cx, CN_EIO, NULL, _("cannot write standard output: %s"), strerror(errno));
        return cn_hint(cx, _("the answer is incomplete; check the pipe or the free space"));
    }
    return CN_OK;
}

cn_code cn_cli_write(cn_ctx *cx, cn_cli *cli, const char *text, size_t len)
{
    if (cli->out && strcmp(cli->out, "-") != 0)
        return cn_file_write(cx, cli->out, text, len);
    return write_stream(cx, cli->stream_out, text, len);
}

static cn_code render(cn_ctx *cx, cn_cli *cli, const cn_doc *doc, cn_format format, cn_buf *out)
{
    bool to_stream = !cli->out || strcmp(cli->out, "-") == 0;
    const char *color = cn_cli_text(cli, "color");
    cn_report_opts opts = {
        .format = format,
        .has_color =
            to_stream ? cn_wants_color(color, cli->stream_out) : strcmp(color, "always") == 0,
        .width = to_stream ? terminal_width(cli->stream_out) : 0,
        .is_verbose = cli->is_verbose,
        .table = cli->table,
        .lang = cli->lang,
    };
    CN_TRY(cn_report(cx, doc, &opts, out));
    return out->failed ? cn_nomem(cx) : CN_OK;
}

/* The page goes to its own file, or takes the place of the answer with "-". */
static cn_code show_html(cn_ctx *cx, cn_cli *cli, const cn_doc *doc)
{
    cn_buf page = {0};
    cn_code code = render(cx, cli, doc, CN_FORMAT_HTML, &page);
    if (code == CN_OK && strcmp(cli->html, "-") == 0)
        code = write_stream(cx, cli->stream_out, page.data, page.len);
    else if (code == CN_OK)
        code = cn_file_write(cx, cli->html, page.data, page.len);
    cn_buf_free(&page);
    return code;
}

static cn_code add_explanation(cn_ctx *cx, cn_cli *cli, cn_doc *doc)
{
    const cn_fig *fig = cn_report_figure(doc, cli->explain);
    if (!fig) {
        cn_fail(cx, CN_EUSAGE, NULL, _("--explain: the answer holds no figure \"%s\""),
                cli->explain);
        return cn_hint(cx, _("--csv --table figures lists the keys"));
    }
    cn_report_explain(cx, doc, fig);
    return cx->code;
}

/* CSV is one table; say which others there are. */
static void name_other_tables(cn_ctx *cx, cn_cli *cli, const cn_doc *doc)
{
    const char *const *id = cn_report_tables(cx, doc);
    if (cli->format != CN_FORMAT_CSV || cli->table || cli->is_quiet || !id || !id[0] || !id[1])
        return;
    cn_buf text = {0};
    for (size_t i = 1; id[i]; i++)
        cn_buf_printf(&text, "%s%s", i > 1 ? ", " : "", id[i]);
    fprintf(cli->stream_err, _("hint: this is table \"%s\"; --table chooses another: %s\n"), id[0],
            cn_buf_cstr(&text));
    cn_buf_free(&text);
}

cn_code cn_cli_show(cn_ctx *cx, cn_cli *cli, cn_doc *doc)
{
    if (cli->explain)
        CN_TRY(add_explanation(cx, cli, doc));
    if (cli->html)
        CN_TRY(show_html(cx, cli, doc));
    if (cli->html && strcmp(cli->html, "-") == 0)
        return CN_OK;
    cn_buf text = {0};
    cn_code code = render(cx, cli, doc, cli->format, &text);
    if (code == CN_OK)
        code = cn_cli_write(cx, cli, text.data, text.len);
    cn_buf_free(&text);
    if (code == CN_OK)
        name_other_tables(cx, cli, doc);
    return code;
}

/* Monotonic seconds: only how often to speak depends on it, never an answer. */
static double clock_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void cn_cli_progress(cn_cli *cli, const char *what, double done, double total)
{
    bool is_terminal = isatty(fileno(cli->stream_err));
    double now = clock_s(), wait = is_terminal ? 0.2 : 10.0;
    if (cli->started_s <= 0)
        cli->started_s = now;
    if (cli->is_quiet || now - cli->started_s < 2 || now - cli->spoke_s < wait)
        return;
    cli->spoke_s = now;
    char a[64], b[64], c[64];
    double rate = done / (now - cli->started_s);
    double left_s = rate > 0 ? (total - done) / rate : 0;
    fputs(is_terminal ? "\r" : "", cli->stream_err);
    fprintf(cli->stream_err, _("%s: %s of %s, %s/s, %.0f s left"), what, cn_number_text(done, 0, a),
            cn_number_text(total, 0, b), cn_number_sig(rate, 3, c), left_s);
    fputs(is_terminal ? "\033[K" : "\n", cli->stream_err);
    cli->has_progress_line = is_terminal;
    fflush(cli->stream_err);
}
