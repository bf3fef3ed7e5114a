#include <criterion/criterion.h>

Test(change, none) {}
