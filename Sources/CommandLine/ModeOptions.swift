import ArgumentParser
import Quoin

/// What a command that brings rows does with the rows that the store has.
struct ModeOptions: ParsableArguments {
  @Flag(help: "Replace whole rows: what the source lacks becomes missing on the days that it has.")
  var replace = false

  @Flag(help: "Leave the rows that the store has as they are, and add only new days.")
  var keep = false

  func validate() throws {
    if replace, keep { throw ValidationError("--replace and --keep contradict each other; choose one") }
  }

  var mode: UpsertMode { replace ? .replace : keep ? .keep : .update }
}
