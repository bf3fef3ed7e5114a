/* Reads and writes scenes in the binary format.
 * Layout: docs/scene-format.md. Little-endian; every section starts at a
 * multiple of eight bytes; the last eight are XXH3 of all before. */
#include <endian.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "core/file.h"
#include "scenes/scene_private.h"

/* A file has the first version that holds it, so that older programs read what they know: without motions, without a
 * margin, with a margin (and motions, if there are any), with `within`, with `leaving`, with compounds (and the
 * others, if there are any). */
enum {
    STILL_VERSION = 1,
    MOVING_VERSION,
    MARGIN_VERSION,
    WITHIN_VERSION,
    LEAVING_VERSION,
    COMPOUND_VERSION,
    MAGIC_SIZE = 8,
    TRAILER_SIZE = 8
};

typedef struct header {
    uint32_t version, precision, dim, shapes;
    uint64_t rows;
    uint32_t bodies, frames;
    uint64_t pairs; /* of all frames */
    uint32_t moving; /* frames with motions */
} header;

enum {
    TEXT_AT = 56,
    NAME_SIZE = sizeof((gjb_scene *)0)->name,
    QUERY_SIZE = sizeof((gjb_scene *)0)->query,
    NOTE_SIZE = sizeof((gjb_scene *)0)->note,
    HEADER_SIZE = TEXT_AT + NAME_SIZE + QUERY_SIZE + NOTE_SIZE
};
_Static_assert(HEADER_SIZE == 304 && HEADER_SIZE % 8 == 0, "the text fields are part of the format");

/* Sections in file order. */
enum {
    MARGIN,
    WITHIN,
    LEAVING,
    MOVES,
    KINDS,
    ROW_COUNTS,
    RADII,
    ROWS,
    BODY_SHAPES,
    PAIR_COUNTS,
    POSES,
    PAIRS,
    MOTIONS,
    PARTS_OF,
    SECTIONS
};

typedef struct layout {
    uint64_t at[SECTIONS], end[SECTIONS]; /* `end`: before the padding */
    uint64_t total; /* file size, trailer included */
} layout;

/* 0, or -1 when the sizes do not fit 64 bits. */
static int lay_out(const header *h, layout *l)
{
    const uint64_t scalar = gjb_scalar_size(h->precision);
    const uint64_t poses = (uint64_t)h->bodies * h->frames, motions = (uint64_t)h->bodies * h->moving;
    const struct {
        uint64_t count, size;
    } sections[SECTIONS] = {
        [KINDS] = {h->shapes, 1},       [ROW_COUNTS] = {h->shapes, 4},  [RADII] = {h->shapes, scalar},
        [ROWS] = {h->rows, h->dim * scalar}, [BODY_SHAPES] = {h->bodies, 4}, [PAIR_COUNTS] = {h->frames, 8},
        [POSES] = {poses, gjb_pose_numbers(h->dim) * scalar},  [PAIRS] = {h->pairs, 8},
        [MARGIN] = {h->version >= MARGIN_VERSION, 8},
        [WITHIN] = {h->version >= WITHIN_VERSION, 8},
        [LEAVING] = {h->version >= LEAVING_VERSION, 8},
        [MOVES] = {h->version >= MOVING_VERSION ? h->frames : 0, 1},
        [MOTIONS] = {motions, gjb_motion_numbers(h->dim) * scalar},
        [PARTS_OF] = {h->version >= COMPOUND_VERSION ? h->bodies : 0, 4},
    };
    uint64_t at = HEADER_SIZE;
    for (int i = 0; i < SECTIONS; i++) {
        uint64_t bytes;
        l->at[i] = at;
        if (__builtin_mul_overflow(sections[i].count, sections[i].size, &bytes) ||
            __builtin_add_overflow(at, bytes, &at) || at > UINT64_MAX - 16)
            return -1;
        l->end[i] = at;
        at = (at + 7) / 8 * 8;
    }
    l->total = at + TRAILER_SIZE;
    return 0;
}

static uint32_t get32(const unsigned char *at)
{
    uint32_t value;
    memcpy(&value, at, sizeof value);
    return le32toh(value);
}

static uint64_t get64(const unsigned char *at)
{
    uint64_t value;
    memcpy(&value, at, sizeof value);
    return le64toh(value);
}

static void put32(unsigned char *at, uint32_t value)
{
    value = htole32(value);
    memcpy(at, &value, sizeof value);
}

static void put64(unsigned char *at, uint64_t value)
{
    value = htole64(value);
    memcpy(at, &value, sizeof value);
}

/* Copies arrays of 4- or 8-byte elements as bits. */
static void get_array(void *target, const unsigned char *at, uint64_t count, size_t size)
{
    for (uint64_t i = 0; i < count; i++)
        if (size == 4)
            ((uint32_t *)target)[i] = get32(at + 4 * i);
        else
            ((uint64_t *)target)[i] = get64(at + 8 * i);
}

static void put_array(unsigned char *at, const void *source, uint64_t count, size_t size)
{
    for (uint64_t i = 0; i < count; i++)
        if (size == 4)
            put32(at + 4 * i, ((const uint32_t *)source)[i]);
        else
            put64(at + 8 * i, ((const uint64_t *)source)[i]);
}

/* Counts frames with motions by the first section of files that have any. */
static int count_moving(const unsigned char *bytes, header *h, const char *file, gjb_error *error)
{
    const unsigned last = h->version < LEAVING_VERSION ? h->version : LEAVING_VERSION;
    const unsigned numbers = last < MARGIN_VERSION ? 0 : last - MARGIN_VERSION + 1;
    const unsigned char *flags = bytes + HEADER_SIZE + 8 * (size_t)numbers;
    for (uint32_t f = 0; f < h->frames; f++) {
        const unsigned char moves = flags[f];
        if (moves > 1)
            return gjb_fail(error, "%s: frames[%" PRIu32 "]: %u says neither 0 (still) nor 1 (moving)", file, f, moves);
        h->moving += moves;
    }
    return 0;
}

/* Checks each field by itself. */
static int check_fields(const header *h, const char *file, gjb_error *error)
{
    if (h->version < STILL_VERSION || h->version > COMPOUND_VERSION)
        return gjb_fail(error, "%s: version: %" PRIu32 " is not known, only %d to %d", file, h->version,
                        STILL_VERSION, COMPOUND_VERSION);
    if (h->precision >= GJB_PRECISIONS)
        return gjb_fail(error, "%s: precision: %" PRIu32 " is neither 0 (f32) nor 1 (f64)", file,
                        h->precision);
    if (h->dim != 2 && h->dim != 3)
        return gjb_fail(error, "%s: dim: %" PRIu32 " is neither 2 nor 3", file, h->dim);
    if (h->rows > UINT32_MAX)
        return gjb_fail(error, "%s: rows: %" PRIu64 " is more than %" PRIu32, file, h->rows, UINT32_MAX);
    if (h->bodies == UINT32_MAX || h->frames == UINT32_MAX || h->frames == 0)
        return gjb_fail(error, "%s: %s: %" PRIu32 " is out of range", file,
                        h->bodies == UINT32_MAX ? "bodies" : "frames",
                        h->bodies == UINT32_MAX ? h->bodies : h->frames);
    return 0;
}

static int refuse_size(const header *h, uint64_t size, const char *file, gjb_error *error)
{
    return gjb_fail(error,
                    "%s: size: %" PRIu64 " bytes do not hold the %" PRIu32 " shapes, %" PRIu64 " vertices, %" PRIu32
                    " bodies, %" PRIu32 " frames and %" PRIu64 " pairs claimed",
                    file, size, h->shapes, h->rows, h->bodies, h->frames, h->pairs);
}

/* 1 if a file of `size` bytes may hold what its header claims. The number of moving frames is not known
 * yet. */
static int fits(header h, uint64_t size)
{
    layout none, all;
    h.moving = 0;
    const int laid = lay_out(&h, &none) == 0 && none.total <= size;
    h.moving = h.version >= MOVING_VERSION ? h.frames : 0;
    return laid && (lay_out(&h, &all) != 0 || all.total >= size);
}

/* Reads the first HEADER_SIZE bytes, of which `got` are present, and checks them against the file size. 0,
 * or -1. */
static int read_header(const unsigned char *bytes, size_t got, uint64_t size, header *h, const char *file,
                       gjb_error *error)
{
    if (got < HEADER_SIZE || size < HEADER_SIZE + TRAILER_SIZE)
        return gjb_fail(error, "%s: size: %zu bytes, a binary scene has at least %d", file, got,
                        HEADER_SIZE + TRAILER_SIZE);
    if (memcmp(bytes, GJB_BINARY_MAGIC, MAGIC_SIZE) != 0)
        return gjb_fail(error, "%s: magic: bytes 0 to 7 are damaged, or this is no binary scene", file);
    *h = (header){
        .version = get32(bytes + 8),
        .precision = get32(bytes + 12),
        .dim = get32(bytes + 16),
        .shapes = get32(bytes + 20),
        .rows = get64(bytes + 24),
        .bodies = get32(bytes + 32),
        .frames = get32(bytes + 36),
        .pairs = get64(bytes + 40),
    };
    if (check_fields(h, file, error) != 0)
        return -1;
    if (get64(bytes + 48) != size)
        return gjb_fail(error, "%s: size: %" PRIu64 " bytes, the header says %" PRIu64 ": truncated or damaged", file,
                        size, get64(bytes + 48));
    return fits(*h, size) ? 0 : refuse_size(h, size, file, error);
}

size_t gjb_scene_accept_binary(const unsigned char *head, size_t size, size_t all, const char *file, gjb_error *error)
{
    header h;
    const uint64_t whole = all != GJB_FILE_SIZE_UNKNOWN ? all : size >= HEADER_SIZE ? get64(head + 48) : 0;
    if (read_header(head, size, whole, &h, file, error) != 0)
        return 0;
    if (whole > GJB_BINARY_MOST) {
        gjb_fail(error, "%s: size: %" PRIu64 " bytes, of a binary scene at most %zu are read", file, whole,
                 GJB_BINARY_MOST);
        return 0;
    }
    return whole;
}

static int check_zeros(const unsigned char *bytes, uint64_t from, uint64_t to, const char *file, gjb_error *error)
{
    for (; from < to; from++)
        if (bytes[from] != 0)
            return gjb_fail(error, "%s: padding: byte %" PRIu64 " is 0x%02x, not 0", file, from, bytes[from]);
    return 0;
}

/* Padding after sections and texts is 0, so that a scene has exactly one file. */
static int check_padding(const unsigned char *bytes, const layout *l, const char *file, gjb_error *error)
{
    static const uint32_t texts[] = {TEXT_AT, TEXT_AT + NAME_SIZE, TEXT_AT + NAME_SIZE + QUERY_SIZE, HEADER_SIZE};
    for (int i = 0; i < SECTIONS; i++) {
        const uint64_t next = i + 1 < SECTIONS ? l->at[i + 1] : l->total - TRAILER_SIZE;
        if (check_zeros(bytes, l->end[i], next, file, error) != 0)
            return -1;
    }
    for (int i = 0; i < 3; i++) {
        const size_t used = strnlen((const char *)bytes + texts[i], texts[i + 1] - texts[i]);
        if (check_zeros(bytes, texts[i] + used, texts[i + 1], file, error) != 0)
            return -1;
    }
    return 0;
}

/* All checks that are possible before allocating. */
static int check_whole(const unsigned char *bytes, size_t size, header *h, layout *l, const char *file,
                       gjb_error *error)
{
    if (read_header(bytes, size, size, h, file, error) != 0 ||
        (h->version >= MOVING_VERSION && count_moving(bytes, h, file, error) != 0))
        return -1;
    if (lay_out(h, l) != 0 || l->total != size)
        return refuse_size(h, size, file, error);
    const uint64_t stored = get64(bytes + size - TRAILER_SIZE);
    const uint64_t computed = XXH3_64bits(bytes, size - TRAILER_SIZE);
    if (stored != computed)
        return gjb_fail(error,
                        "%s: checksum: %016" PRIx64 " stored, %016" PRIx64 " computed: the file is damaged",
                        file, stored, computed);
    return check_padding(bytes, l, file, error);
}

/* The margins of files that have some. What a version is for is more than 0, else an older one holds the scene; and
 * nothing has the bits of -0. */
static int read_margins(const unsigned char *bytes, const header *h, const layout *l, double margins[2],
                        const char *file, gjb_error *error)
{
    static const char *const fields[] = {"margin", "within"};
    margins[0] = margins[1] = 0.0;
    for (unsigned k = 0; k < 2 && h->version >= MARGIN_VERSION + k; k++) {
        const uint64_t bits = get64(bytes + l->at[MARGIN + k]);
        memcpy(&margins[k], &bits, sizeof bits);
        if (!(margins[k] > 0.0) && (h->version == MARGIN_VERSION + k || bits != 0))
            return gjb_fail(error, "%s: %s: %.9g, must be more than 0 in version %" PRIu32, file, fields[k], margins[k],
                            h->version);
    }
    return 0;
}

/* What version 5 is for, and later ones may have. */
static int read_leaving(const unsigned char *bytes, const header *h, const layout *l, uint32_t *leaving,
                        const char *file, gjb_error *error)
{
    const uint64_t said = h->version >= LEAVING_VERSION ? get64(bytes + l->at[LEAVING]) : GJB_LEAVING_HIT;
    *leaving = (uint32_t)said;
    if (h->version > LEAVING_VERSION && said > GJB_LEAVING_IGNORE)
        return gjb_fail(error, "%s: leaving: %" PRIu64 " is neither 0 (hit) nor 1 (ignore)", file, said);
    if (h->version == LEAVING_VERSION && said != GJB_LEAVING_IGNORE)
        return gjb_fail(error, "%s: leaving: %" PRIu64 ", must be 1 (ignore) in version %" PRIu32, file, said,
                        h->version);
    return 0;
}

/* The counts inside must add up to those of the header. */
static int check_sums(const unsigned char *bytes, const header *h, const layout *l, const char *file,
                      gjb_error *error)
{
    uint64_t rows = 0, pairs = 0;
    for (uint32_t i = 0; i < h->shapes; i++)
        rows += get32(bytes + l->at[ROW_COUNTS] + 4 * (uint64_t)i);
    if (rows != h->rows)
        return gjb_fail(error, "%s: rows: %" PRIu64 " in the header, shapes have %" PRIu64, file, h->rows,
                        rows);
    for (uint32_t f = 0; f < h->frames; f++) {
        uint64_t count = get64(bytes + l->at[PAIR_COUNTS] + 8 * (uint64_t)f);
        if (count > h->pairs - pairs)
            return gjb_fail(error,
                            "%s: frames[%" PRIu32 "].pairs: %" PRIu64 " is more than the header's %" PRIu64,
                            file, f, count, h->pairs);
        pairs += count;
    }
    if (pairs != h->pairs)
        return gjb_fail(error, "%s: pairs: %" PRIu64 " in the header, frames have %" PRIu64, file, h->pairs,
                        pairs);
    return 0;
}

static int read_motions(const unsigned char *bytes, const header *h, const layout *l, gjb_scene *scene)
{
    const uint64_t count = gjb_motion_numbers(h->dim) * (uint64_t)h->bodies, scalar = gjb_scalar_size(h->precision);
    const double none[GJB_MOTION_NUMBERS_MAX] = {0.0};
    const unsigned char *motions = bytes + l->at[MOTIONS];
    for (uint32_t f = 0; f < h->frames && h->version >= MOVING_VERSION; f++) {
        if (!bytes[l->at[MOVES] + f] || h->bodies == 0)
            continue;
        if (gjb_scene_set_motion(scene, f, 0, none) != 0)
            return -1;
        get_array(scene->frames[f].motions, motions, count, scalar);
        motions += count * scalar;
    }
    return 0;
}

/* What version 6 is for: else an older one holds the scene. */
static int check_parts(const unsigned char *bytes, const header *h, const layout *l, const char *file, gjb_error *error)
{
    uint32_t of_another = 0;
    for (uint32_t b = 0; b < h->bodies && h->version >= COMPOUND_VERSION; b++) {
        const uint32_t whole = get32(bytes + l->at[PARTS_OF] + 4 * (uint64_t)b);
        of_another += whole != b;
        if (whole >= h->bodies)
            return gjb_fail(error, "%s: compounds: body %" PRIu32 " is a part of that of %" PRIu32
                            ", which is not a body (the scene has %" PRIu32 ")", file, b, whole, h->bodies);
    }
    return h->version < COMPOUND_VERSION || of_another
               ? 0
               : gjb_fail(error, "%s: compounds: none, but version %" PRIu32 " has some", file, h->version);
}

static int read_parts(const unsigned char *bytes, const header *h, const layout *l, gjb_scene *scene)
{
    for (uint32_t b = 0; b < h->bodies && h->version >= COMPOUND_VERSION; b++)
        if (gjb_scene_set_part(scene, b, get32(bytes + l->at[PARTS_OF] + 4 * (uint64_t)b)) != 0)
            return -1;
    return 0;
}

gjb_scene *gjb_scene_parse_binary(const unsigned char *bytes, size_t size, const char *file, gjb_error *error)
{
    header h;
    layout l;
    double margins[2];
    uint32_t leaving;
    if (check_whole(bytes, size, &h, &l, file, error) != 0 || check_sums(bytes, &h, &l, file, error) != 0 ||
        read_margins(bytes, &h, &l, margins, file, error) != 0 ||
        read_leaving(bytes, &h, &l, &leaving, file, error) != 0 || check_parts(bytes, &h, &l, file, error) != 0)
        return NULL;
    const size_t scalar = gjb_scalar_size(h.precision);
    gjb_scene *scene = gjb_scene_new(h.dim, (gjb_precision)h.precision, h.shapes, h.rows, h.bodies,
                                     get64(bytes + l.at[PAIR_COUNTS]));
    for (uint32_t f = 1; scene != NULL && f < h.frames; f++) {
        if (gjb_scene_add_frame(scene, get64(bytes + l.at[PAIR_COUNTS] + 8 * (uint64_t)f)) == UINT32_MAX) {
            gjb_scene_free(scene);
            scene = NULL;
        }
    }
    if (scene == NULL || read_motions(bytes, &h, &l, scene) != 0 || read_parts(bytes, &h, &l, scene) != 0) {
        gjb_scene_free(scene);
        gjb_fail(error, "%s: out of memory for %zu bytes", file, size);
        return NULL;
    }
    scene->margin = margins[0];
    scene->within = margins[1];
    scene->leaving = leaving;
    const unsigned char *text = bytes + TEXT_AT;
    memcpy(scene->name, text, NAME_SIZE);
    memcpy(scene->query, text + NAME_SIZE, QUERY_SIZE);
    memcpy(scene->note, text + NAME_SIZE + QUERY_SIZE, NOTE_SIZE);

    const gjb_shapes *shapes = &scene->shapes;
    memcpy((void *)shapes->kind, bytes + l.at[KINDS], h.shapes);
    get_array((void *)shapes->row_count, bytes + l.at[ROW_COUNTS], h.shapes, 4);
    get_array((void *)shapes->radius, bytes + l.at[RADII], h.shapes, scalar);
    get_array((void *)shapes->rows, bytes + l.at[ROWS], h.dim * h.rows, scalar);
    get_array(scene->body_shape, bytes + l.at[BODY_SHAPES], h.bodies, 4);
    uint32_t first = 0;
    for (uint32_t i = 0; i < h.shapes; i++) {
        ((uint32_t *)shapes->first)[i] = first;
        first += shapes->row_count[i];
    }
    const unsigned char *poses = bytes + l.at[POSES], *pairs = bytes + l.at[PAIRS];
    for (uint32_t f = 0; f < h.frames; f++) {
        gjb_frame *frame = &scene->frames[f];
        get_array(frame->poses, poses, gjb_pose_numbers(h.dim) * (uint64_t)h.bodies, scalar);
        get_array(frame->pairs, pairs, 2 * frame->pair_count, 4);
        poses += gjb_pose_numbers(h.dim) * (uint64_t)h.bodies * scalar;
        pairs += 8 * frame->pair_count;
    }
    return scene;
}

typedef struct image {
    const unsigned char *bytes;
    size_t size;
} image;

static void write_image(FILE *stream, const void *context)
{
    const image *i = context;
    fwrite(i->bytes, 1, i->size, stream);
}

static void fill(const gjb_scene *scene, const header *h, const layout *l, unsigned char *bytes)
{
    const gjb_shapes *shapes = &scene->shapes;
    const size_t scalar = gjb_scalar_size(h->precision);
    memcpy(bytes, GJB_BINARY_MAGIC, MAGIC_SIZE);
    put32(bytes + 8, h->version);
    put32(bytes + 12, h->precision);
    put32(bytes + 16, h->dim);
    put32(bytes + 20, h->shapes);
    put64(bytes + 24, h->rows);
    put32(bytes + 32, h->bodies);
    put32(bytes + 36, h->frames);
    put64(bytes + 40, h->pairs);
    put64(bytes + 48, l->total);
    memcpy(bytes + TEXT_AT, scene->name, strnlen(scene->name, NAME_SIZE - 1));
    memcpy(bytes + TEXT_AT + NAME_SIZE, scene->query, strnlen(scene->query, QUERY_SIZE - 1));
    memcpy(bytes + TEXT_AT + NAME_SIZE + QUERY_SIZE, scene->note, strnlen(scene->note, NOTE_SIZE - 1));
    const double margins[2] = {scene->margin, scene->within};
    for (unsigned k = 0; k < 2 && h->version >= MARGIN_VERSION + k; k++) {
        uint64_t bits;
        memcpy(&bits, &margins[k], sizeof bits);
        put64(bytes + l->at[MARGIN + k], bits);
    }
    if (h->version >= LEAVING_VERSION)
        put64(bytes + l->at[LEAVING], scene->leaving);
    memcpy(bytes + l->at[KINDS], shapes->kind, h->shapes);
    put_array(bytes + l->at[ROW_COUNTS], shapes->row_count, h->shapes, 4);
    put_array(bytes + l->at[RADII], shapes->radius, h->shapes, scalar);
    unsigned char *rows = bytes + l->at[ROWS];
    for (uint32_t i = 0; i < h->shapes; i++) {
        const uint64_t count = shapes->row_count[i];
        put_array(rows, (const char *)shapes->rows + h->dim * scalar * shapes->first[i], h->dim * count, scalar);
        rows += h->dim * scalar * count;
    }
    for (uint32_t b = 0; b < h->bodies; b++)
        put32(bytes + l->at[BODY_SHAPES] + 4 * (uint64_t)b, gjb_body_shape(scene, b));
    for (uint32_t b = 0; b < h->bodies && h->version >= COMPOUND_VERSION; b++)
        put32(bytes + l->at[PARTS_OF] + 4 * (uint64_t)b, gjb_scene_whole(scene, b));
    unsigned char *poses = bytes + l->at[POSES], *pairs = bytes + l->at[PAIRS], *motions = bytes + l->at[MOTIONS];
    for (uint32_t f = 0; f < h->frames; f++) {
        const gjb_frame *frame = &scene->frames[f];
        put64(bytes + l->at[PAIR_COUNTS] + 8 * (uint64_t)f, frame->pair_count);
        put_array(poses, frame->poses, gjb_pose_numbers(h->dim) * (uint64_t)h->bodies, scalar);
        put_array(pairs, frame->pairs, 2 * frame->pair_count, 4);
        if (frame->motions != NULL) {
            const uint64_t count = gjb_motion_numbers(h->dim) * (uint64_t)h->bodies;
            bytes[l->at[MOVES] + f] = 1;
            put_array(motions, frame->motions, count, scalar);
            motions += count * scalar;
        }
        poses += gjb_pose_numbers(h->dim) * (uint64_t)h->bodies * scalar;
        pairs += 8 * frame->pair_count;
    }
    put64(bytes + l->total - TRAILER_SIZE, XXH3_64bits(bytes, l->total - TRAILER_SIZE));
}

unsigned char *gjb_scene_pack(const gjb_scene *scene, size_t *size)
{
    header h = {
        .version = gjb_scene_has_compounds(scene) ? COMPOUND_VERSION
                   : scene->leaving               ? LEAVING_VERSION
                   : scene->within > 0.0    ? WITHIN_VERSION
                   : scene->margin > 0.0    ? MARGIN_VERSION
                   : gjb_scene_moves(scene) ? MOVING_VERSION
                                            : STILL_VERSION,
        .precision = scene->shapes.precision,
        .dim = scene->shapes.dim,
        .shapes = scene->shapes.count,
        .bodies = scene->body_count,
        .frames = scene->frame_count,
    };
    for (uint32_t i = 0; i < h.shapes; i++)
        h.rows += scene->shapes.row_count[i];
    for (uint32_t f = 0; f < h.frames; f++) {
        h.pairs += scene->frames[f].pair_count;
        h.moving += scene->frames[f].motions != NULL;
    }
    layout l;
    unsigned char *bytes = lay_out(&h, &l) == 0 ? calloc(1, l.total) : NULL;
    if (bytes != NULL) {
        fill(scene, &h, &l, bytes);
        *size = l.total;
    }
    return bytes;
}

int gjb_scene_save_binary(const gjb_scene *scene, const char *path, gjb_error *error)
{
    image i = {0};
    unsigned char *bytes = gjb_scene_pack(scene, &i.size);
    if (bytes == NULL)
        return gjb_fail(error, "%s: out of memory for a scene of %" PRIu32 " shapes", path, scene->shapes.count);
    i.bytes = bytes;
    int failed = gjb_file_write(path, write_image, &i, error);
    free(bytes);
    return failed;
}
