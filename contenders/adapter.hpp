/* What adapters in C++ share: preparing, where a library may run out of memory. */
#ifndef GJB_CONTENDERS_ADAPTER_HPP
#define GJB_CONTENDERS_ADAPTER_HPP

#include <memory>
#include <new>

#include "contenders/adapter.h"

/* `prepare` of the contract: a `Prepared` that `fill` made of the shapes; NULL out of memory. */
template <class Prepared, void (*fill)(const gjb_shapes *, Prepared *)>
void *gjb_prepare(const gjb_shapes *shapes, const char *)
{
    try {
        auto prepared = std::make_unique<Prepared>();
        fill(shapes, prepared.get());
        return prepared.release();
    } catch (const std::bad_alloc &) {
        return nullptr;
    }
}

template <class Prepared> void gjb_release(void *prepared)
{
    delete static_cast<Prepared *>(prepared);
}

/* `fill` where each shape stands for itself in a vector. */
template <class Prepared, typename Prepared::value_type (*make)(const gjb_shapes *, uint32_t)>
void gjb_fill_each(const gjb_shapes *shapes, Prepared *prepared)
{
    prepared->reserve(shapes->count);
    for (uint32_t i = 0; i < shapes->count; i++)
        prepared->push_back(make(shapes, i));
}

#endif
