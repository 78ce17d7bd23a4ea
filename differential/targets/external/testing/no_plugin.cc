// A shared library that is no plugin.
extern "C" int lanediff_is_not_here() { return 7; }
