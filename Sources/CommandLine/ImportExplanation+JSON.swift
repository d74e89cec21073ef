import Console
import Quoin

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension [ImportExplanation] {
  /// The explanations as an array of objects.
  var json: String {
    get throws {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      return String(decoding: try encoder.encode(map(FileRecord.init)), as: UTF8.self) + "\n"
    }
  }
}

/// An explanation as JSON has it.
private struct FileRecord: Encodable {
  struct Finding: Encodable {
    let what, value, because: String
    let setting: String?
  }

  struct Column: Encodable {
    struct Cell: Encodable {
      let text: String
      let value: String?
    }

    let name, meaning, because: String
    let known: Bool
    let cells: [Cell]
  }

  let file: String
  let found: [Finding]
  let columns: [Column]
  let rows, tickers: Int
  let firstTickers: [String]
  let firstDay, lastDay: String?
  let notes: [String]
  let refusal: String?

  init(_ explanation: ImportExplanation) {
    file = explanation.file
    found = explanation.findings.map {
      Finding(what: $0.subject.rawValue, value: $0.value, because: $0.reason, setting: $0.setting)
    }
    columns = explanation.columns.map { column in
      Column(
        name: column.name, meaning: column.use.word, because: column.reason, known: !column.isUnknown,
        cells: column.cells.map { Column.Cell(text: $0.text, value: $0.value) })
    }
    (rows, tickers) = (explanation.rowCount, explanation.tickerCount)
    firstTickers = explanation.firstTickers.map { "\($0)" }
    firstDay = explanation.days.map { "\($0.lowerBound)" }
    lastDay = explanation.days.map { "\($0.upperBound)" }
    notes = explanation.notes
    refusal = explanation.error?.sentence
  }
}
