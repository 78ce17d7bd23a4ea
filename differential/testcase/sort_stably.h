#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <numeric>
#include <utility>
#include <vector>

namespace lanediff {

/// Sorts by `key(item)`; what is equal keeps its order. In the place of
/// std::stable_sort, whose buffer clang calls deprecated in libstdc++ 12.
template <class T, class Key>
void SortStably(std::vector<T>& items, Key key) {
  std::vector<std::size_t> order(items.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) {
    return std::pair(std::invoke(key, items[i]), i);
  });
  std::vector<T> sorted;
  sorted.reserve(items.size());
  for (std::size_t i : order) sorted.push_back(std::move(items[i]));
  items = std::move(sorted);
}

}  // namespace lanediff
