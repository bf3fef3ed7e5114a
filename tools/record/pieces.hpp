/* Cuts a boulder into convex pieces, for the scene of pieces. */
#ifndef GJB_RECORD_PIECES_HPP
#define GJB_RECORD_PIECES_HPP

#include <array>
#include <cstddef>
#include <vector>

using Point = std::array<double, 3>;

/* A convex piece: its corners about `center`, the mean of them. */
struct Piece {
    Point center;
    std::vector<Point> corners;
};

/* A boulder of radius 1 about the origin, with `facets` facets, cut into the cells that are nearest to each of `cuts`
 * random sites (Voronoi, 1908). Those with fewer than `least` or more than `most` corners are crumbs, and left out.
 * The same seed gives the same pieces. */
std::vector<Piece> cut_boulder(unsigned seed, int facets, int cuts, size_t least, size_t most);

#endif
