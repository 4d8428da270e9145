#include "scale.h"
#include <cstdio>

int main() { std::printf("%d\n", scaledSum(100)); }
