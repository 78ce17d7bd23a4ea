// Makes a page: html_page DATA.json OUT.html [run|mutants|nothing TEXT]. DATA
// is a report that was written by hand; the start page is that of a sample run
// or of sample mutants with TEXT in them, if requested.
#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>

#include "reports/html.h"
#include "reports/printers.h"
#include "reports/report.h"
#include "reports/testing.h"

namespace {

using namespace lanediff::reports;

std::string Written(std::string_view kind, const std::string& text) {
  if (kind == "mutants") {
    MutantsRecord record = test::SampleMutants();
    record.mutants[0].defect += text;
    return ToMarkup(ToReport(record));
  }
  RunRecord run = test::SampleRun();
  if (kind == "nothing") {
    return ToMarkup(ToReport(test::RunOf(), 2));
  }
  run.cases[1].findings[0].message += text;
  run.coverage[0].holes[1].reason += text;
  run.about.emplace().name = text;
  run.about->character = {{"order", {text}}};
  const ChangedFinding one{
      .key = {"a", "memory/min/value/half"}, .path = "a.json", .message = text};
  run.changes = RunChanges{.file = "old.json",
                           .target = "emulator",
                           .fresh = {one},
                           .gone = {{one, false}},
                           .unchanged = 1};
  return ToMarkup(ToReport(run, 1, {run.cases[0].id}));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3 && argc != 5) {
    std::fputs(
        "usage: html_page DATA.json OUT.html [run|mutants|nothing TEXT]\n",
        stderr);
    return 2;
  }
  std::ifstream in(argv[1], std::ios::binary);
  std::stringstream data;
  data << in.rdbuf();
  std::ofstream out(argv[2], std::ios::binary);
  out << HtmlPage("A hand-made <report>", data.str(),
                  argc == 5 ? Written(argv[3], argv[4]) : "")
      << std::flush;
  if (in && out) return 0;
  std::fprintf(stderr, "html_page: can't read %s or write %s\n", argv[1],
               argv[2]);
  return 2;
}
