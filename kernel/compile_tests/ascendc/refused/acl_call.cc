// expect: aclrtMallocPhysical
#include "acl/acl.h"
int main() { return aclrtMallocPhysical(nullptr, 1); }
