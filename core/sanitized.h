/* Says whether this is built with AddressSanitizer, whose shadow memory is more than any limit leaves. */
#ifndef GJB_CORE_SANITIZED_H
#define GJB_CORE_SANITIZED_H

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define GJB_SANITIZED 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define GJB_SANITIZED 1
#endif
#if !defined(GJB_SANITIZED)
#define GJB_SANITIZED 0
#endif

#endif
