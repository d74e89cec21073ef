import ArgumentParser
import Console
import Quoin

/// How tightly a store packs its blocks.
struct PackingOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Pack blocks so from now on: fast, balanced or small (default: as the store does, at first balanced). Fast never "
        + "unpacks before it compares; small takes the fewest bytes, and questions take longer.", valueName: "way"),
    completion: .list(BlockPacking.allCases.map(\.rawValue)))
  var pack: String?

  /// The way; nil to leave the store's as it is.
  func packing() throws -> BlockPacking? {
    guard let pack else { return nil }
    guard let packing = BlockPacking(rawValue: pack.lowercased()) else {
      throw UsageError.unknownName(pack, what: "packing", among: BlockPacking.allCases.map(\.rawValue))
    }
    return packing
  }
}

extension QuoteStore {
  /// Says that the store packs its blocks in another way than before, when it had so many rows.
  func reportPacking(before: BlockPacking, rowCount: Int) throws {
    guard packing != before else { return }
    let rest = rowCount > 0 ? ". 'quoin compact' repacks those that it had" : ""
    try report("'\(path)' packs its blocks \(packing.rawValue) from now on\(rest).")
  }
}
