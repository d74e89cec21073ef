import Synchronization

/// Very many arguments in a row, as a shell makes of `*.csv`. The time that ArgumentParser takes grows with the square of their
/// number, so it gets a placeholder for most of them.
package enum LongArguments {
  private static let placeholder = "\u{1}"
  private static let shortCount = 64
  /// The first may be an option's value; the others are arguments.
  private static let keptCount = 2

  /// What the placeholder stands for: set before the arguments are parsed.
  private static let rest = Mutex<[String]>([])

  /// The arguments with one placeholder for the longest run of words that aren't options.
  static func shortened(_ arguments: [String]) -> [String] {
    guard arguments.count > shortCount, !arguments.contains(placeholder) else { return arguments }
    var longest = 0..<0
    var start = 0
    for index in 0...arguments.count where index == arguments.count || arguments[index].hasPrefix("-") {
      // `-` alone is standard input.
      if index < arguments.count, arguments[index] == "-" { continue }
      if index - start > longest.count { longest = start..<index }
      start = index + 1
    }
    guard longest.count > shortCount else { return arguments }
    let replaced = longest.dropFirst(keptCount)
    rest.withLock { $0 = Array(arguments[replaced]) }
    return Array(arguments[..<replaced.startIndex]) + [placeholder] + Array(arguments[replaced.endIndex...])
  }

  fileprivate static func expanded(_ arguments: [String]) -> [String] {
    guard let index = arguments.firstIndex(of: placeholder) else { return arguments }
    return arguments[..<index] + rest.withLock { $0 } + arguments[(index + 1)...]
  }
}

extension [String] {
  /// A command's arguments, as many as there were.
  package var withRest: [String] { LongArguments.expanded(self) }
}
