/* quick.c - see quick.h. */
#include <math.h>

#include "model/purchase.h"
#include "model/quick.h"

void cn_quick_eval(const cn_quick_in *in, cn_quick *out)
{
    const cn_train *t = &in->train;
    cn_memory_eval(t, &out->memory);
    cn_step_eval(t, &out->step);
    double used = out->memory.allocated_bytes + out->memory.context_bytes;
    out->fits = used <= in->mem_ratio * t->device->mem_bytes;
    cn_campaign_in c = in->campaign;
    c.step_s = out->step.time_s;
    c.steps = ceil(in->tokens / (t->global_batch * t->seq));
    c.evaluation_s = in->evaluation_ratio * c.steps * c.step_s;
    c.devices = cn_layout_devices(&t->layout);
    cn_campaign_eval(&c, &out->campaign);
    out->cost =
        cn_compute_cost(c.devices + in->idle_devices, out->campaign.wall_s, in->per_device_h);
}
