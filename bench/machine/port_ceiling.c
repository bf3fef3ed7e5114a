/* Times scans of vertices for supports on one backend and precision, and takes the highest rate. */
#include "bench/machine/port_ceiling.h"

#include "core/clock.h"
#include "simd/ports/ports.h"
#include "simd/simd.h"

enum { SCANS = 1 << 14 };

static volatile double sink;

int gjb_port_ceiling(gjb_port_row *row, double seconds)
{
    gjb_ports_run *run = gjb_ports_find(row->backend, row->precision);
    const gjb_backend *backend = gjb_backend_find(row->backend);
    if (!run || !backend || !gjb_backend_available(row->backend))
        return -1;
    const double vertices = (double)SCANS * GJB_PORTS_SCAN * backend->lanes[row->precision];
    const uint64_t begin = gjb_clock_wall();
    row->vertices_per_second = 0;
    for (int round = 0; round < 2 || 1e-9 * (double)(gjb_clock_wall() - begin) < seconds; round++) {
        double sum;
        const uint64_t before = gjb_clock_thread();
        run(row->dim, SCANS, &sum);
        const double rate = 1e9 * vertices / (double)(gjb_clock_thread() - before);
        sink = sum;
        row->vertices_per_second = rate > row->vertices_per_second ? rate : row->vertices_per_second;
    }
    return 0;
}
