/* The backend table, dispatch, and the contender's entry points. */
#include <stdlib.h>
#include <string.h>

#include "core/cpu.h"
#include "simd/leaving.h"
#include "simd/library.h"
#include "simd/simd.h"
#include "simd/space/fallback/fallback3.h"
#include "simd/space/fallback/halfspace.h"

/* One line per backend; GJB_HAVE_* are those of this build. */
#define BACKENDS(ROW)                                                                                            \
    ROW(scalar, 0, 1, 1)                                                                                         \
    ROW_SSE4(ROW) ROW_AVX(ROW) ROW_AVX2(ROW) ROW_AVX512VL(ROW) ROW_AVX512(ROW) ROW_NEON(ROW)

#ifdef GJB_HAVE_SSE4
#define ROW_SSE4(ROW) ROW(sse4, GJB_CPU_SSE4, 4, 2)
#else
#define ROW_SSE4(ROW)
#endif
#ifdef GJB_HAVE_AVX
#define ROW_AVX(ROW) ROW(avx, GJB_CPU_AVX, 8, 4)
#else
#define ROW_AVX(ROW)
#endif
#ifdef GJB_HAVE_AVX2
#define ROW_AVX2(ROW) ROW(avx2, GJB_CPU_AVX2, 8, 4)
#else
#define ROW_AVX2(ROW)
#endif
#ifdef GJB_HAVE_AVX512VL
#define ROW_AVX512VL(ROW) ROW(avx512vl, GJB_CPU_AVX512, 8, 4)
#else
#define ROW_AVX512VL(ROW)
#endif
#ifdef GJB_HAVE_AVX512
#define ROW_AVX512(ROW) ROW(avx512, GJB_CPU_AVX512, 16, 8)
#else
#define ROW_AVX512(ROW)
#endif
#ifdef GJB_HAVE_NEON
#define ROW_NEON(ROW) ROW(neon, GJB_CPU_NEON, 4, 2)
#else
#define ROW_NEON(ROW)
#endif

#define DECLARE(name, cpu, f32, f64)                                                                             \
    void gjb_run2_##name##_32(const void *, const gjb_batch *);                                                  \
    void gjb_run2_##name##_64(const void *, const gjb_batch *);                                                  \
    void gjb_run3_##name##_32(const void *, const gjb_batch *);                                                  \
    void gjb_run3_##name##_64(const void *, const gjb_batch *);                                                  \
    void gjb_sweep2_##name##_32(const void *, const gjb_batch *);                                                \
    void gjb_sweep2_##name##_64(const void *, const gjb_batch *);                                                \
    void gjb_sweep3_##name##_32(const void *, const gjb_batch *);                                                \
    void gjb_sweep3_##name##_64(const void *, const gjb_batch *);                                                \
    gjb_bin gjb_bin2_##name##_32, gjb_bin2_##name##_64, gjb_bin3_##name##_32, gjb_bin3_##name##_64;              \
    gjb_patches gjb_patches2_##name##_32, gjb_patches2_##name##_64, gjb_patches3_##name##_32,                    \
        gjb_patches3_##name##_64;                                                                                \
    gjb_near gjb_near2_##name##_32, gjb_near2_##name##_64, gjb_near3_##name##_32, gjb_near3_##name##_64;
BACKENDS(DECLARE)
#ifdef GJB_HAVE_SINGLE
gjb_bin gjb_bin2_single_32, gjb_bin2_single_64, gjb_bin3_single_32, gjb_bin3_single_64;
gjb_few gjb_few2_single_32, gjb_few2_single_64, gjb_few3_single_32, gjb_few3_single_64;
#endif
gjb_few gjb_few2_scalar_32, gjb_few2_scalar_64, gjb_few3_scalar_32, gjb_few3_scalar_64;

#define DEFINE(name, cpu, f32, f64)                                                                              \
    static const gjb_backend backend_##name = {                                                                  \
        #name,                                                                                                   \
        cpu,                                                                                                     \
        {f32, f64},                                                                                              \
        {[2] = {gjb_run2_##name##_32, gjb_run2_##name##_64}, [3] = {gjb_run3_##name##_32, gjb_run3_##name##_64}}, \
        {[2] = {gjb_sweep2_##name##_32, gjb_sweep2_##name##_64},                                                 \
         [3] = {gjb_sweep3_##name##_32, gjb_sweep3_##name##_64}},                                                \
        {[2] = {gjb_bin2_##name##_32, gjb_bin2_##name##_64}, [3] = {gjb_bin3_##name##_32, gjb_bin3_##name##_64}}, \
        {[2] = {gjb_patches2_##name##_32, gjb_patches2_##name##_64},                                             \
         [3] = {gjb_patches3_##name##_32, gjb_patches3_##name##_64}},                                            \
        {[2] = {gjb_near2_##name##_32, gjb_near2_##name##_64},                                                   \
         [3] = {gjb_near3_##name##_32, gjb_near3_##name##_64}}};
BACKENDS(DEFINE)

#define LIST(name, cpu, f32, f64) &backend_##name,
const gjb_backend *const gjb_backends[] = {BACKENDS(LIST)};
const size_t gjb_backend_count = sizeof gjb_backends / sizeof gjb_backends[0];

const gjb_backend *gjb_backend_find(const char *name)
{
    for (size_t i = 0; i < gjb_backend_count; i++)
        if (strcmp(gjb_backends[i]->name, name) == 0)
            return gjb_backends[i];
    return NULL;
}

static int has_features(const gjb_backend *backend)
{
    return (gjb_cpu_features() & backend->cpu) == backend->cpu;
}

int gjb_backend_available(const char *name)
{
    const gjb_backend *backend = gjb_backend_find(name);
    return backend && has_features(backend);
}

const gjb_backend *gjb_backend_best(void)
{
    size_t i = gjb_backend_count;
    while (i > 1 && !has_features(gjb_backends[i - 1]))
        i--;
    return gjb_backends[i - 1];
}

/* Functions for single pairs: with their vertices across a register, or one lane of the scalar backend. */
static void choose_single(gjb_library *library)
{
    const gjb_precision precision = library->precision;
    const uint32_t dim = library->dim;
    static gjb_few *const few[4][GJB_PRECISIONS] = {[2] = {gjb_few2_scalar_32, gjb_few2_scalar_64},
                                                    [3] = {gjb_few3_scalar_32, gjb_few3_scalar_64}};
    library->bins[0] = backend_scalar.bin[dim][precision];
    library->few = few[dim][precision];
#ifdef GJB_HAVE_SINGLE
    static gjb_bin *const bin_across[4][GJB_PRECISIONS] = {[2] = {gjb_bin2_single_32, gjb_bin2_single_64},
                                                           [3] = {gjb_bin3_single_32, gjb_bin3_single_64}};
    static gjb_few *const few_across[4][GJB_PRECISIONS] = {[2] = {gjb_few2_single_32, gjb_few2_single_64},
                                                           [3] = {gjb_few3_single_32, gjb_few3_single_64}};
    if (library->backend->cpu & (GJB_CPU_AVX2 | GJB_CPU_AVX512)) {
        library->bins[0] = bin_across[dim][precision];
        library->few = few_across[dim][precision];
    }
#endif
}

/* For 2, 4, 8 and 16 entries the narrowest backend that takes them at once, no wider than the library's own and of the
 * same CPU; the scalar one, which takes one, is of no use to two. */
static void choose_bins(gjb_library *library)
{
    const gjb_precision precision = library->precision;
    const gjb_backend *own = library->backend;
    choose_single(library);
    for (unsigned k = 1; k < sizeof library->bins / sizeof *library->bins; k++) {
        const gjb_backend *best = own;
        for (size_t i = 1; gjb_backends[i - 1] != own; i++) {
            const gjb_backend *other = gjb_backends[i];
            const uint32_t lanes = other->lanes[precision], most = best->lanes[precision];
            if (has_features(other) && lanes >= 1u << k && (lanes < most || (lanes == most && best != own)))
                best = other; /* of the same width the newer one */
        }
        library->bins[k] = best->bin[library->dim][precision];
    }
}

/* About the size of a second-level cache: below it a prefetch costs more than it saves. */
#define FAR_BYTES ((size_t)1 << 20)

void *gjb_simd_prepare(const gjb_shapes *shapes, const char *backend)
{
    gjb_library *library = calloc(1, sizeof *library);
    if (!library)
        return NULL;
    library->backend = backend ? gjb_backend_find(backend) : gjb_backend_best();
    library->precision = (gjb_precision)shapes->precision;
    library->count = shapes->count;
    library->max_quads = 1;
    const uint32_t dim = library->dim = shapes->dim;
    size_t units = 0;
    int sweeps = 0;
    const int wide = shapes->precision == GJB_F64;
    const size_t real_bytes = wide ? sizeof(double) : sizeof(float);
    for (uint32_t i = 0; i < shapes->count; i++) {
        uint32_t q = gjb_library_quads(shapes, i);
        units = gjb_library_place(dim, units, q) + gjb_library_units(dim, q);
        library->max_quads = q > library->max_quads ? q : library->max_quads;
        sweeps |= gjb_library_sweeps((gjb_kind)shapes->kind[i]);
    }
    library->axes = gjb_library_place(dim, units, 2) * gjb_library_unit(dim);
    /* room to read a whole register from the last coordinate on, and any shape as if it were of the largest in lanes */
    const size_t reals = (dim == 2 ? 2 : 1) * library->axes + 16 + 2 * 4 * LANE_QUADS;
    const size_t bytes = reals * real_bytes;
    const size_t meta_bytes = shapes->count * (wide ? sizeof(gjb_meta_f64) : sizeof(gjb_meta_f32));
    library->meta = gjb_library_array(meta_bytes + sizeof(double)); /* four reals of the last can be read */
    library->records = gjb_library_array(bytes);
    library->far = bytes > FAR_BYTES;
    const size_t box_bytes = shapes->count * gjb_library_box(dim) * real_bytes;
    library->boxes = sweeps ? gjb_library_array(box_bytes) : NULL;
    library->boxes_far = box_bytes > FAR_BYTES;
    library->bounds = gjb_library_array(BOUND_REALS * shapes->count * real_bytes);
    library->gauss = dim == 3 ? gjb_library_array(shapes->count * sizeof(gjb_gauss)) : NULL;
    /* offsets are 32 bits of units, quads of one shape 16 bits */
    library->room = malloc(4 * (size_t)library->max_quads * (dim == 2 ? 3 * 2 * sizeof(double) : sizeof(gjb_grouped)));
    int no_planes;
    library->planes = gjb_halfspace_planes(shapes, &no_planes);
    if (no_planes || !library->backend || !library->room || !library->meta || !library->records ||
        (sweeps && !library->boxes) || !library->bounds || (dim == 3 && !library->gauss) || units > UINT32_MAX ||
        library->max_quads > UINT16_MAX) {
        gjb_simd_release(library);
        return NULL;
    }
    choose_bins(library);
    if ((wide ? gjb_library_fill_f64 : gjb_library_fill_f32)(library, shapes)) {
        gjb_simd_release(library);
        return NULL;
    }
    library->few_pairs = library->alike ? 1 : dim == 2 ? 4 : 3;
    free(library->room);
    library->room = NULL;
    return library;
}

/* Of the kernels' context. */
static size_t context_bytes(const gjb_library *library)
{
    static size_t (*const contexts[4][GJB_PRECISIONS])(void) = {
        [2] = {gjb_context_bytes2_32, gjb_context_bytes2_64}, [3] = {gjb_context_bytes3_32, gjb_context_bytes3_64}};
    return (contexts[library->dim][library->precision]() + 63) & ~(size_t)63;
}

static size_t own_workspace(const void *prepared)
{
    const gjb_library *library = prepared;
    const uint32_t dim = library->dim;
    /* Contacts on half-spaces take more. */
    size_t room = dim == 2 ? (library->planes ? 2 : 1) * 4 * 8 * (size_t)library->max_quads * sizeof(double)
                           : gjb_fallback3_room(4 * library->max_quads, library->curved);
    return context_bytes(library) + room;
}

size_t gjb_simd_workspace_size(const void *prepared)
{
    const gjb_library *library = prepared;
    return own_workspace(prepared) +
           MANIFOLD_CHUNK * gjb_result_size(GJB_SIGNED_DISTANCE, library->precision, library->dim);
}

/* Distances end a little beyond the margin, since what is as far apart as that has contacts, and what is all but as
 * far says so only up to rounding. A limit of 0 would be none: LEAST_LIMIT stands for it. */
#define LEAST_LIMIT 0x1p-100
#define LIMIT_SLACK 1.001

/* And times of impact. */
static void run_distances(const gjb_library *library, const gjb_batch *batch)
{
    if (batch->pair_count <= library->few_pairs && batch->query < GJB_STILL_QUERIES)
        library->few(library, batch);
    else
        library->backend->run[library->dim][library->precision](library, batch);
}

/* Lists pairs from *first on that may have contacts, at most MANIFOLD_CHUNK, and answers those before *first that have
 * none. Axes of a last answer belong to pairs that follow one another, so these are all listed. */
static unsigned list_pairs(const gjb_library *library, const gjb_backend *backend, const gjb_batch *batch,
                           size_t *first, size_t *near)
{
    gjb_near *const list = backend->near[library->dim][library->precision];
    unsigned count = 0;
    while (*first < batch->pair_count && count <= MANIFOLD_CHUNK - WINDOW) {
        const size_t left = batch->pair_count - *first;
        const unsigned some = left < WINDOW ? (unsigned)left : WINDOW;
        if (!batch->axes)
            count += list(library, batch, *first, some, near + count);
        for (unsigned i = 0; i < some && batch->axes; i++)
            near[count++] = *first + i;
        *first += some;
    }
    return count;
}

/* Signed distances up to the margin first, a chunk at a time, then what lies over one another along their normals. Of a
 * single pair by the backend whose lanes it fills. */
static void run_manifold(const gjb_library *library, const gjb_batch *batch)
{
    const gjb_backend *backend = batch->pair_count > 1 ? library->backend : &backend_scalar;
    gjb_patches *const patches = backend->patches[library->dim][library->precision];
    const size_t size = gjb_result_size(GJB_SIGNED_DISTANCE, library->precision, library->dim);
    gjb_batch part = *batch;
    part.query = GJB_SIGNED_DISTANCE;
    part.margin = batch->margin > LEAST_LIMIT ? batch->margin * LIMIT_SLACK : LEAST_LIMIT;
    part.results = (char *)batch->workspace + own_workspace(library);
    part.result_stride = size;
    size_t near[MANIFOLD_CHUNK];
    uint32_t pairs[2 * MANIFOLD_CHUNK];
    part.pairs = pairs;
    for (size_t first = 0; first < batch->pair_count;) {
        if (batch->axes)
            part.axes = (char *)batch->axes + first * batch->axis_stride;
        const unsigned count = list_pairs(library, backend, batch, &first, near);
        for (unsigned i = 0; i < count; i++)
            memcpy(pairs + 2 * i, batch->pairs + 2 * near[i], 2 * sizeof *pairs);
        part.pair_count = count;
        if (count == 0)
            continue;
        run_distances(library, &part);
        patches(library, batch, near, count, part.results);
    }
}

/* Pairs with a half-space are as invalid as their kind is to the kernels. */
static void run_bounded(const gjb_library *library, const gjb_batch *batch)
{
    if (batch->query == GJB_MANIFOLD) {
        run_manifold(library, batch);
    } else if (batch->query == GJB_SWEEP) {
        library->backend->sweep[library->dim][library->precision](library, batch);
    } else if (batch->query == GJB_SIGNED_DISTANCE) {
        gjb_batch whole = *batch; /* only manifolds have them end at the margin */
        whole.margin = 0;
        run_distances(library, &whole);
    } else {
        run_distances(library, batch);
    }
}

static void run_all(const void *prepared, const gjb_batch *batch)
{
    const gjb_library *library = prepared;
    run_bounded(library, batch);
    if (library->planes)
        gjb_halfspace_run(library, batch, (double *)((char *)batch->workspace + context_bytes(library)));
}

void gjb_simd_run(const void *prepared, const gjb_batch *batch)
{
    run_all(prepared, batch);
    if (batch->query == GJB_TOI && batch->leaving)
        gjb_leaving_run(prepared, batch, run_all);
}

void gjb_simd_release(void *prepared)
{
    gjb_library *library = prepared;
    if (!library)
        return;
    free(library->room);
    free(library->planes);
    free(library->meta);
    free(library->records);
    free(library->boxes);
    free(library->bounds);
    free(library->gauss);
    free(library->gauss_rows);
    free(library);
}
