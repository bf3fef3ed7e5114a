/* Compiles the GJK and EPA of the papers in float and in double. */
#include "verify/converge/converge_methods.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "reference/methods/nearest3.h"

#define REAL float
#define ROOT sqrtf
#define EPS (FLT_EPSILON / 2)
#define SIMPLEX ref_nearest3f
#define NEAREST ref_nearest_simplex3f
#define NAME(name) name##_f32
#include "verify/converge/converge_methods.inc"
#undef REAL
#undef ROOT
#undef EPS
#undef SIMPLEX
#undef NEAREST
#undef NAME

#define REAL double
#define ROOT sqrt
#define EPS (DBL_EPSILON / 2)
#define SIMPLEX ref_nearest3
#define NEAREST ref_nearest_simplex3
#define NAME(name) name##_f64
#include "verify/converge/converge_methods.inc"
