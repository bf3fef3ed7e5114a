/* Throws a C++ exception, for a contender that is written in C. */
#include <stdexcept>

extern "C" void test_throw(void);

void test_throw(void)
{
    throw std::runtime_error("a contender that throws");
}
