/* Cuts a boulder into convex pieces: corners of the half spaces that a cell is the common part of. */
#include "tools/record/pieces.hpp"

#include <cmath>
#include <random>

namespace {

/* What lies in it has normal · point <= offset. */
struct HalfSpace {
    Point normal;
    double offset;
};

double dot(const Point &a, const Point &b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

Point cross(const Point &a, const Point &b)
{
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

/* a + t b */
Point along(const Point &a, double t, const Point &b)
{
    return {a[0] + t * b[0], a[1] + t * b[1], a[2] + t * b[2]};
}

/* Numbers in [0, 1) that the standard fixes to the bit. */
class Scatter {
public:
    explicit Scatter(unsigned seed) : generator(seed) {}

    double next()
    {
        return double(generator() - generator.min()) / (double(generator.max() - generator.min()) + 1.0);
    }

    /* In the ball of radius 1 about the origin. */
    Point in_ball()
    {
        Point p;
        do
            for (double &x : p)
                x = 2.0 * next() - 1.0;
        while (dot(p, p) > 1.0);
        return p;
    }

private:
    std::minstd_rand generator;
};

/* Planes that touch a ball of radius about 1, well spread over it. */
std::vector<HalfSpace> boulder_of(int facets, Scatter *scatter)
{
    std::vector<HalfSpace> sides;
    for (int i = 0; i < facets; i++) {
        const double z = (2.0 * i + 1.0) / facets - 1.0, r = std::sqrt(1.0 - z * z);
        const double angle = 2.399963229728653 * i + 0.2 * scatter->next(); /* the golden angle */
        sides.push_back({{r * std::cos(angle), r * std::sin(angle), z}, 1.0 - 0.02 * scatter->next()});
    }
    return sides;
}

/* Nearer to one site than to the others. */
void add_cuts(std::vector<HalfSpace> *sides, const std::vector<Point> &sites, size_t own)
{
    for (size_t i = 0; i < sites.size(); i++) {
        if (i == own)
            continue;
        const Point way = along(sites[i], -1.0, sites[own]), middle = along(sites[own], 0.5, way);
        sides->push_back({way, dot(way, middle)});
    }
}

void add_corner(std::vector<Point> *corners, const Point &p)
{
    for (const Point &other : *corners) {
        const Point way = along(p, -1.0, other);
        if (dot(way, way) < 1e-8) /* found on another edge, or too near to be told apart */
            return;
    }
    corners->push_back(p);
}

/* The part of the line of two planes that lies in all half spaces is an edge: its ends are corners. */
void add_edge(std::vector<Point> *corners, const std::vector<HalfSpace> &sides, size_t one, size_t two)
{
    const Point &n = sides[one].normal, &m = sides[two].normal, way = cross(n, m);
    const double square = dot(way, way);
    if (square < 1e-18)
        return;
    const Point start = along(along({0.0, 0.0, 0.0}, sides[one].offset / square, cross(m, way)),
                              sides[two].offset / square, cross(way, n));
    double from = -1e9, to = 1e9;
    for (size_t i = 0; i < sides.size() && from < to; i++) {
        const double climb = dot(sides[i].normal, way), room = sides[i].offset - dot(sides[i].normal, start);
        if (i == one || i == two)
            continue;
        if (climb > 0.0 && room < to * climb)
            to = room / climb;
        else if (climb < 0.0 && room < from * climb)
            from = room / climb;
        else if (climb == 0.0 && room < 0.0)
            return;
    }
    if (!(from < to))
        return;
    add_corner(corners, along(start, from, way));
    add_corner(corners, along(start, to, way));
}

Piece piece_of(const std::vector<HalfSpace> &sides)
{
    Piece piece = {{0.0, 0.0, 0.0}, {}};
    for (size_t one = 0; one < sides.size(); one++)
        for (size_t two = one + 1; two < sides.size(); two++)
            add_edge(&piece.corners, sides, one, two);
    for (const Point &corner : piece.corners)
        piece.center = along(piece.center, 1.0 / double(piece.corners.size()), corner);
    for (Point &corner : piece.corners)
        corner = along(corner, -1.0, piece.center);
    return piece;
}

} // namespace

std::vector<Piece> cut_boulder(unsigned seed, int facets, int cuts, size_t least, size_t most)
{
    Scatter scatter(seed);
    const std::vector<HalfSpace> boulder = boulder_of(facets, &scatter);
    std::vector<Point> sites;
    for (int i = 0; i < cuts; i++)
        sites.push_back(scatter.in_ball());
    std::vector<Piece> pieces;
    for (size_t i = 0; i < sites.size(); i++) {
        std::vector<HalfSpace> sides;
        add_cuts(&sides, sites, i); /* first, since they leave the least of a line */
        sides.insert(sides.end(), boulder.begin(), boulder.end());
        Piece piece = piece_of(sides);
        if (piece.corners.size() >= least && piece.corners.size() <= most)
            pieces.push_back(std::move(piece));
    }
    return pieces;
}
