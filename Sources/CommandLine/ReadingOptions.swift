import ArgumentParser
import Console
import Quoin

/// The store of a command that only reads, and which of its states it reads.
struct ReadingOptions: ParsableArguments {
  @OptionGroup var store: StoreOptions

  @Option(
    help: ArgumentHelp(
      "Read this snapshot of the store, or this generation while it is kept; 'quoin snapshot list' lists them.",
      valueName: "name"))
  var at: String?

  @OptionGroup var limits: LimitOptions

  /// The store, which must exist, as it is or was.
  func open() throws -> QuoteStore {
    let store = try store.open()
    return try (at.map { try store.state(named: $0) } ?? store).within(limits.limits)
  }
}

extension QuoteStore {
  /// The snapshot of this name, or the generation of this number.
  func state(named name: String) throws -> QuoteStore {
    // No name of a snapshot begins with a digit.
    if let number = UInt64(name), let state = try snapshot(ofGeneration: number) { return state }
    if let state = try snapshot(named: name) { return state }
    throw noState(named: name)
  }

  /// The error that the store keeps no such snapshot.
  func noState(named name: String) -> DataError {
    let names = snapshots.compactMap(\.name)
    let generations = Set(snapshots.map(\.generation)).union([generation]).sorted().map { "\($0)" }
    let kept =
      "it keeps \(names.isEmpty ? "no snapshots" : names.joined(separator: ", ")), and of the generations "
      + generations.joined(separator: ", ")
    return DataError("'\(path)' keeps no snapshot '\(name)'; \(Suggestion.question(for: name, among: names) ?? kept)")
  }
}
