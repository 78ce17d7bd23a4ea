// Makes a page of a report that was written by hand: html_page DATA.json
// OUT.html
#include <cstdio>
#include <fstream>
#include <sstream>

#include "reports/html.h"

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fputs("usage: html_page DATA.json OUT.html\n", stderr);
    return 2;
  }
  std::ifstream in(argv[1], std::ios::binary);
  std::stringstream data;
  data << in.rdbuf();
  std::ofstream out(argv[2], std::ios::binary);
  out << lanediff::reports::HtmlPage("A hand-made <report>", data.str())
      << std::flush;
  if (in && out) return 0;
  std::fprintf(stderr, "html_page: can't read %s or write %s\n", argv[1],
               argv[2]);
  return 2;
}
