/* The contenders that Bullet is: see contenders/libraries/bullet.cpp, bullet_motion.cpp and
 * bullet_manifold.cpp. */
#include "contenders/contender_lists.h"

#include "contenders/libraries/bullet.hpp"

using namespace gjb_bullet;

const gjb_contender *const gjb_contenders_bullet[] = {&still[0], &still[1],   &still[2], &still[3],
                                                      &still[4], &continuous, &gjk_cast, &simplex_cast,
                                                      &ray_aabb, &dispatch,   &dispatch_clip,
                                                      nullptr};
