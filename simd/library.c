/* Compiled once per precision: fills records from shapes. */
#define GJB_LANES_SCALAR
#include "simd/lanes.h"
#include "simd/library.h"
#include "simd/tile2.h"

#if GJB_BITS == 32
#define FILL gjb_library_fill_f32
#define CONTEXT_BYTES gjb_context_bytes_f32
#else
#define FILL gjb_library_fill_f64
#define CONTEXT_BYTES gjb_context_bytes_f64
#endif

/* Least rows a kind is stored with. */
static const uint8_t least_rows[GJB_KINDS] = {[GJB_POINT] = 1, [GJB_SEGMENT] = 2, [GJB_POLYGON] = 3, [GJB_BOX] = 1};

static int usable(const gjb_shapes *shapes, uint32_t i)
{
    const real *rows = (const real *)shapes->rows + 2 * (size_t)shapes->first[i];
    real radius = ((const real *)shapes->radius)[i];
    uint32_t n = shapes->row_count[i];
    if (shapes->kind[i] >= GJB_KINDS || n < least_rows[shapes->kind[i]] || !(radius >= 0 && radius <= REAL_MAX))
        return 0;
    for (uint32_t k = 0; k < 2 * n; k++)
        if (!(rows[k] >= -REAL_MAX && rows[k] <= REAL_MAX))
            return 0;
    return shapes->kind[i] != GJB_BOX || (rows[0] >= 0 && rows[1] >= 0);
}

/* Unit axes for the edges that start at each vertex. An edge of no length
 * borrows the axis of the next one that has some: both start at one point. */
static void fill_axes(uint32_t n, const real *x, const real *y, real *nx, real *ny)
{
    uint32_t pending = 0;
    int any = 0;
    for (uint32_t step = 0; step < 2 * n; step++) {
        uint32_t i = step % n, j = (i + 1) % n;
        double ex = (double)x[j] - (double)x[i], ey = (double)y[j] - (double)y[i];
        double scale = fabs(ex) > fabs(ey) ? fabs(ex) : fabs(ey);
        if (!(scale > 0)) {
            pending++;
            continue;
        }
        ex /= scale;
        ey /= scale;
        double length = sqrt(ex * ex + ey * ey);
        for (uint32_t back = 0; back <= pending && back <= step; back++) {
            uint32_t k = (i + n - back % n) % n;
            nx[k] = (real)(ey / length);
            ny[k] = (real)(-ex / length);
        }
        pending = 0;
        any = 1;
        if (step >= n)
            break;
    }
    static const signed char cross[4][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    for (uint32_t i = 0; !any && i < n; i++) {
        nx[i] = cross[i % 4][0];
        ny[i] = cross[i % 4][1];
    }
}

static void fill_record(real *record, uint32_t quads, gjb_kind kind, const real *rows, uint32_t count)
{
    uint32_t n = 4 * quads, used = count;
    real *x = record, *y = x + n, *nx = y + n, *ny = nx + n;
    if (kind == GJB_BOX) {
        static const signed char corner[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
        used = 4;
        for (uint32_t i = 0; i < 4; i++) {
            x[i] = corner[i][0] * rows[0];
            y[i] = corner[i][1] * rows[1];
        }
    } else if (kind == GJB_POINT) {
        used = 4; /* one vertex, all four directions */
        for (uint32_t i = 0; i < 4; i++) {
            x[i] = rows[0];
            y[i] = rows[1];
        }
    } else {
        for (uint32_t i = 0; i < count; i++) {
            x[i] = rows[2 * i];
            y[i] = rows[2 * i + 1];
        }
    }
    fill_axes(used, x, y, nx, ny);
    if (kind == GJB_SEGMENT) {
        /* The caps: vertex 1 is extreme along the segment, vertex 0 against it. */
        x[2] = x[1], y[2] = y[1], nx[2] = -ny[0], ny[2] = nx[0];
        x[3] = x[0], y[3] = y[0], nx[3] = ny[0], ny[3] = -nx[0];
        used = 4;
    }
    for (uint32_t i = used; i < n; i++) {
        x[i] = x[used - 1], y[i] = y[used - 1];
        nx[i] = nx[used - 1], ny[i] = ny[used - 1];
    }
}

void FILL(gjb_library *library, const gjb_shapes *shapes)
{
    shape_meta *meta = library->meta;
    real *records = library->records;
    uint32_t offset = 0;
    for (uint32_t i = 0; i < shapes->count; i++) {
        uint32_t quads = gjb_library_quads(shapes, i);
        meta[i] = (shape_meta){.offset = offset, .quads = (uint16_t)quads};
        offset += quads;
        if (!usable(shapes, i)) {
            meta[i].size = SHAPE_INVALID;
            memset(records + 16 * (size_t)meta[i].offset, 0, 16 * quads * sizeof(real));
            continue;
        }
        real *record = records + 16 * (size_t)meta[i].offset;
        fill_record(record, quads, shapes->kind[i], (const real *)shapes->rows + 2 * (size_t)shapes->first[i],
                    shapes->row_count[i]);
        /* Overestimates by rounding at most: it only sizes the pair's frame. */
        real extent = 0;
        for (uint32_t k = 0; k < 4 * quads; k++) {
            real ax = (real)fabs((double)record[k]), ay = (real)fabs((double)record[4 * quads + k]);
            real reach = ax > ay ? ax : ay;
            if (reach > 0)
                reach *= (real)sqrt((double)(ax / reach) * (ax / reach) + (double)(ay / reach) * (ay / reach));
            extent = reach > extent ? reach : extent;
        }
        meta[i].size = quads == 1 ? SIZE_4 : quads == 2 ? SIZE_8 : quads == 4 ? SIZE_16 : quads == 8 ? SIZE_32 : SIZE_BIG;
        meta[i].rounded = ((const real *)shapes->radius)[i] > 0;
        meta[i].radius = ((const real *)shapes->radius)[i];
        meta[i].extent = extent + meta[i].radius;
    }
}

size_t CONTEXT_BYTES(void)
{
    return sizeof(context);
}
