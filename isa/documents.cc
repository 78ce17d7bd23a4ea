#include "isa/documents.h"

#include <algorithm>

namespace lanediff::isa {
namespace {

const std::string kHiAscend = "https://www.hiascend.com/document/detail/";
const std::string kAscDevkit = "https://gitcode.com/cann/asc-devkit/blob/";
const std::string kNewestAscDevkit =
    kAscDevkit + "82b89a15f26329511fc7fbc807d5132a1f9b4ba7/";
const std::string kPtoIsa = "https://github.com/hw-native-sys/pto-isa/blob/";

struct Page {
  std::string_view title;
  std::string_view file;
};

/// Pages of one edition that lie below one address.
struct Folder {
  std::string_view edition;
  std::string address;
  std::vector<Page> pages;
};

std::vector<Folder> Folders() {
  constexpr std::string_view kNewest = "CANN asc-devkit, 30 July 2026";
  const std::string basic = "docs/zh/api/SIMD-API/基础API/";
  return {
      {"CANN 8.0.0.alpha001",
       kHiAscend + "zh/CANNCommunityEdition/800alpha001/apiref/ascendcopapi/",
       {{"RepeatReduceSum", "atlasascendc_api_07_0086.html"},
        {"Min", "atlasascendc_api_07_0040.html"}}},
      {"CANN 8.3.RC1.alpha002",
       kHiAscend + "zh/CANNCommunityEdition/83RC1alpha002/API/ascendcopapi/",
       {{"DataCopy", "atlasascendc_api_07_0103.html"}}},
      {"CANN 8.0.RC3.alpha002",
       kHiAscend + "zh/CANNCommunityEdition/80RC3alpha002/apiref/opdevgapi/",
       {{"vec_trans", "atlastikapi_07_0096.html"},
        {"TIK 通用约束", "atlastikapi_07_0002.html"},
        {"TIK 双目指令", "atlastikapi_07_0063.html"}}},
      {"CANN 8.0.0",
       kHiAscend + "zh/canncommercial/800/apiref/ascendcopapi/",
       {{"CANN 8.0 Add", "atlasascendc_api_07_0035.html"},
        {"CANN 8.0 Sub", "atlasascendc_api_07_0036.html"},
        {"CANN 8.0 Mul", "atlasascendc_api_07_0037.html"},
        {"CANN 8.0 Max", "atlasascendc_api_07_0039.html"}}},
      {"CANN 8.0.RC3.alpha002",
       kHiAscend +
           "zh/CANNCommunityEdition/80RC3alpha002/devaids/auxiliarydevtool/",
       {{"msSanitizer 竞争检测", "atlasopdev_16_0043.html"}}},
      {"CANN 8.2.RC1.alpha003",
       kHiAscend + "zh/CANNCommunityEdition/82RC1alpha003/devaids/optool/",
       {{"msSanitizer 未初始化检测", "atlasopdev_16_0128.html"}}},
      {"CANN 8.0.0, in English",
       kHiAscend + "en/canncommercial/800/devaids/optool/",
       {{"msSanitizer", "atlasopdev_16_0038.html"}}},
      {"CANN toolkit",
       "no address: in the toolkit's package tbe, ",
       {{"TIK common_util.py", "tik/common/common_util.py"}}},
      {"CANN asc-devkit v8.5.0",
       kAscDevkit +
           "cc982f3abd7628a2ba3ef61063a0c220c9340c53/docs/api/context/",
       {{"older Max", "Max.md"},
        {"older Add", "Add.md"},
        {"older Sub", "Sub.md"},
        {"older Mul", "Mul.md"},
        {"older WholeReduceSum", "WholeReduceSum.md"}}},
      {"CANN asc-devkit v9.1.0-beta.3",
       kAscDevkit + "33cffb583a42b88b3ba87fef51bcf04b930c65b7/",
       {{"WholeReduceSum",
         "docs/api/SIMD-API/基础API/Memory矢量计算/归约计算/WholeReduceSum.md"},
        {"WholeReduceSum sample",
         "examples/01_simd_cpp_api/02_features/03_basic_api/"
         "02_memory_vector_compute/whole_reduce_min_max_sum/README.md"}}},
      {kNewest,
       kNewestAscDevkit + basic + "Memory矢量计算/",
       {{"newer Min", "基础算术/Min.md"},
        {"Max", "基础算术/Max.md"},
        {"Add", "基础算术/Add.md"},
        {"Sub", "基础算术/Sub.md"},
        {"Mul", "基础算术/Mul.md"},
        {"Exp", "基础算术/Exp.md"},
        {"Rsqrt", "基础算术/Rsqrt.md"},
        {"Reciprocal", "基础算术/Reciprocal.md"},
        {"Axpy", "复合计算/Axpy.md"},
        {"MulAddDst", "复合计算/MulAddDst.md"},
        {"Compare", "比较与选择/Compare.md"},
        {"Compares", "比较与选择/Compares.md"},
        {"Select", "比较与选择/Select.md"},
        {"Cast", "类型转换/Cast.md"},
        {"ReduceRepeat", "归约计算/ReduceRepeat.md"},
        {"ReduceDataBlock", "归约计算/ReduceDataBlock.md"},
        {"Brcb", "数据填充/Brcb.md"},
        {"Gather", "离散与聚合/Gather.md"},
        {"Gatherb", "离散与聚合/Gatherb(ISASI).md"},
        {"Scatter", "离散与聚合/Scatter(ISASI).md"},
        {"MrgSort", "排序组合（ISASI）/MrgSort.md"},
        {"Transpose", "数据排布转换/Transpose.md"},
        {"newer DataCopy", "数据搬运/DataCopy（GM与UB高维切分数据搬运）.md"},
        {"DataCopyPad", "数据搬运/DataCopyPad（GMToUB非对齐数据搬运）.md"},
        {"掩码", "SIMD计算说明/掩码.md"},
        {"高维切分", "SIMD计算说明/高维切分.md"},
        {"连续计算", "SIMD计算说明/连续计算.md"},
        {"SetVectorMask", "掩码操作/SetVectorMask.md"},
        {"SetMaskCount", "掩码操作/SetMaskCount.md"},
        {"SetMaskNorm", "掩码操作/SetMaskNorm.md"},
        {"ResetMask", "掩码操作/ResetMask.md"}}},
      {kNewest,
       kNewestAscDevkit + basic,
       {{"DataCopy（L1ToFixpipe-Buffer数据搬运）",
         "矩阵计算（ISASI）/矩阵计算的搬入/"
         "DataCopy（L1ToFixpipe-Buffer数据搬运）.md"},
        {"Reg Reduce", "Reg矢量计算/归约计算/Reduce.md"},
        {"BinaryRepeatParams", "辅助数据结构/BinaryRepeatParams.md"},
        {"GetValue", "数据结构/LocalTensor/GetValue.md"},
        {"SetValue", "数据结构/LocalTensor/SetValue.md"},
        {"LocalTensor构造函数", "数据结构/LocalTensor/LocalTensor构造函数.md"},
        {"InitBuffer", "资源管理/TPipe/InitBuffer.md"},
        {"TPipe简介", "资源管理/TPipe/TPipe简介.md"},
        {"AllocEventID", "资源管理/TPipe/AllocEventID.md"},
        {"ReleaseEventID", "资源管理/TPipe/ReleaseEventID.md"},
        {"AllocTensor", "资源管理/TQue/AllocTensor.md"},
        {"EnQue", "资源管理/TQue/EnQue.md"},
        {"PipeBarrier(ISASI)", "同步控制/核内同步/PipeBarrier(ISASI).md"},
        {"SetFlag/WaitFlag(ISASI)",
         "同步控制/核内同步/SetFlag-WaitFlag(ISASI).md"},
        {"核内同步能力概述", "同步控制/核内同步/核内同步能力概述.md"},
        {"核内同步关键特性说明", "同步控制/核内同步/关键特性说明.md"},
        {"TQueSync", "同步控制/核内同步/TQueSync模板参数.md"},
        {"SyncAll", "同步控制/核间同步/SyncAll.md"},
        {"InitSocState", "工具接口/系统初始化/InitSocState.md"},
        {"SetSaturationFlag(ISASI)",
         "特殊寄存器访问/SetSaturationFlag(ISASI).md"},
        {"SetCtrlSpr(ISASI)", "特殊寄存器访问/SetCtrlSpr(ISASI).md"}}},
      {kNewest,
       kNewestAscDevkit + "docs/zh/",
       {{"通用说明和约束", "api/SIMD-API/通用说明和约束.md"},
        {"Memory矢量计算接口边界值汇总",
         "api/附录/Memory矢量计算接口边界值汇总.md"},
        {"API流水类型汇总", "api/附录/API流水类型汇总.md"},
        {"接口变更说明", "api/附录/接口变更说明.md"},
        {"fdividef", "api/SIMT-API/数学函数/float类型数学库函数/fdividef.md"},
        {"基本架构", "guide/编程指南/高级编程/硬件实现/基本架构.md"},
        {"NPU架构版本2201",
         "guide/编程指南/高级编程/硬件实现/架构规格/NPU架构版本2201.md"}}},
      {kNewest,
       kNewestAscDevkit + "impl/basic_api/",
       {{"asc-devkit kernel_npu_debug.h", "kernel_npu_debug.h"},
        {"asc-devkit kernel_reg.h", "kernel_reg.h"},
        {"asc-devkit kernel_utils_base.h", "kernel_utils_base.h"},
        {"asc-devkit kernel_utils_constants.h",
         "utils/kernel_utils_constants.h"},
        {"asc-devkit kernel_operator_vec_reduce_impl.h",
         "dav_m300/kernel_operator_vec_reduce_impl.h"},
        {"asc-devkit kernel_operator_vec_binary_impl.h",
         "dav_m300/kernel_operator_vec_binary_impl.h"}}},
      {"PTO ISA, 26 February 2026",
       kPtoIsa + "10005f84646db0e2024f04dbac167064ab68b089/docs/isa/",
       {{"TROWPROD", "TROWPROD_zh.md"}}},
      {"PTO ISA, 21 August 2026",
       kPtoIsa + "3186c381bd49e1164092e67ff1b3564302754e76/",
       {{"newer TROWPROD", "docs/isa/TROWPROD_zh.md"},
        {"English TROWPROD", "docs/isa/TROWPROD.md"},
        {"TASSIGN", "docs/isa/TASSIGN_zh.md"},
        {"Tile 编程模型", "docs/coding/Tile_zh.md"},
        {"pto-isa cpu/TRowProd.hpp", "include/pto/cpu/TRowProd.hpp"},
        {"pto-isa npu/a2a3/TRowProd.hpp", "include/pto/npu/a2a3/TRowProd.hpp"},
        {"pto-isa npu/a5/TRowProd.hpp", "include/pto/npu/a5/TRowProd.hpp"}}},
      {"PTO specification",
       "https://github.com/PTO-ISA/",
       {{"pto-spec reduction.asl", "pto-spec"}}},
  };
}

}  // namespace

std::span<const Document> Documents() {
  static const std::vector<Document> all = [] {
    std::vector<Document> made;
    for (const Folder& folder : Folders()) {
      for (const Page& page : folder.pages) {
        made.push_back({page.title, folder.edition,
                        folder.address + std::string(page.file)});
      }
    }
    return made;
  }();
  return all;
}

const Document* FindDocument(std::string_view title) {
  const auto all = Documents();
  const auto found = std::ranges::find(all, title, &Document::title);
  return found == all.end() ? nullptr : &*found;
}

std::vector<Citation> CitationsOf(std::string_view text) {
  std::vector<Citation> found;
  /// What stands before `mark`, which is taken off `rest` with it.
  const auto take = [](std::string_view& rest, std::string_view mark) {
    const std::size_t end = std::min(rest.find(mark), rest.size());
    const std::string_view first = rest.substr(0, end);
    rest.remove_prefix(std::min(end + mark.size(), rest.size()));
    return first;
  };
  while (!text.empty()) {
    std::string_view place = take(text, "; ");
    std::string_view titles = take(place, " · ");
    while (!titles.empty()) {
      const std::string_view title = take(titles, ", ");
      found.push_back({title, place, FindDocument(title)});
    }
  }
  return found;
}

std::string CitationText(std::string_view text, std::string_view quote) {
  if (text.empty()) return "assumed";
  std::string cited(text);
  if (quote.empty()) return cited;
  if (quote.starts_with(kNoQuotation)) {
    return cited.append(" (").append(quote).append(")");
  }
  return cited.append(": `").append(quote).append("`");
}

std::string InCell(std::string_view text) {
  std::string cell;
  for (const char c : text) {
    if (c == '|') cell += '\\';
    cell += c;
  }
  return cell;
}

}  // namespace lanediff::isa
