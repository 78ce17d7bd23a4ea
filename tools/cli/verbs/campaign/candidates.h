#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <vector>

/// The commits between a good and a bad one, in a working tree of their own:
/// `git bisect` chooses them, and the repository's own trees stay as they are.
namespace lanediff::cli {

/// What is known of a commit.
enum class Standing : std::uint8_t { kGood, kBad, kSkip };
/// The words of git bisect for them, in their order.
inline constexpr const char* kStandings[] = {"good", "bad", "skip"};

/// What a commit is, for people.
struct CommitLines {
  std::string hash;
  std::string subject;
  std::string author;
  std::string date;  ///< YYYY-MM-DD
  std::vector<std::string> parents;
};

class Candidates {
 public:
  template <class T>
  using Or = std::expected<T, std::string>;  ///< the error is one line

  /// Of the repository that holds the folder `repository`. Nothing is made
  /// yet: the tree will be the folder `tree`, and what git prints goes to the
  /// file `log`.
  Candidates(std::string repository, std::string tree, std::string log);
  /// Removes the tree.
  ~Candidates();
  Candidates(const Candidates&) = delete;
  Candidates& operator=(const Candidates&) = delete;

  /// The whole name of what `name` means there.
  Or<std::string> Find(const std::string& name);
  Or<CommitLines> Describe(const std::string& commit);

  /// Makes the tree, and removes those that killed runs left beside it, in
  /// which what they had started may still be at work.
  Or<void> Make(const std::string& commit);
  /// Puts `commit` into the tree; files that git does not know stay.
  Or<void> Take(const std::string& commit);

  /// The next step of `git bisect`.
  struct Next {
    std::string commit;  ///< to be looked at; it is in the tree
    std::string first;   ///< the first bad one; else empty
    /// Where good and bad part, if it was skipped: then the first bad one may
    /// be there or before it.
    std::string unsure;
    std::vector<std::string>
        among;  ///< it is one of these, all skipped but one
  };
  Or<Next> Begin(const std::string& good, const std::string& bad);
  /// Marks a commit as good, bad or skipped.
  Or<Next> Mark(const std::string& commit, Standing standing);

 private:
  struct Output {
    int status = 0;
    std::string text;
  };
  Output Git(const std::string& folder, const std::vector<std::string>& words);
  Or<Next> Read(const Output& output);
  void Remove(const std::string& tree);

  std::string repository_;
  std::string tree_;
  std::string log_;
  std::string unsure_;  ///< as in `Next`
  bool made_ = false;
};

}  // namespace lanediff::cli
