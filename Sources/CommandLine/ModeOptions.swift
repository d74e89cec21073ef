import ArgumentParser
import Quoin

/// What a command that brings rows does with the rows that the store has.
struct ModeOptions: ParsableArguments {
  @Flag(help: "Replace whole rows: what the source lacks becomes missing on the days that it has.")
  var replace = false

  @Flag(help: "Leave the rows that the store has as they are, and add only new days.")
  var keep = false

  @Flag(help: "Let missing cells of the source change nothing: the store keeps the values that it has there.")
  var fill = false

  func validate() throws {
    let given = [("--replace", replace), ("--keep", keep), ("--fill", fill)].filter(\.1).map(\.0)
    if given.count > 1 { throw ValidationError("\(given[0]) and \(given[1]) contradict each other; choose one") }
  }

  var mode: UpsertMode { replace ? .replace : keep ? .keep : fill ? .fill : .update }
}
