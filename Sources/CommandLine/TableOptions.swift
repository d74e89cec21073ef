import ArgumentParser
import Console
import Quoin

/// How a table for people looks.
struct TableOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Of a table's numbers, so many digits after the point (default: all).", valueName: "n"))
  var digits: Int?

  @Flag(help: "Separate the thousands of a table's numbers.")
  var thousands = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "A column more, with a small picture of this in the last \(Sparkline.rowCount) rows.", valueName: "expr"))
  var spark: String?

  @Flag(help: "Print a table that is longer than the terminal without a pager ($QUOIN_PAGER, $PAGER or less).")
  var noPager = false

  func validate() throws {
    if let digits, !(0...15 ~= digits) { throw ValidationError("--digits \(digits): must be from 0 to 15") }
  }

  /// The layout of a table.
  ///
  /// - Parameter output: where it goes; on a terminal it fits the width.
  func layout(_ format: OutputFormat, _ output: OutputOptions) throws -> TableLayout {
    if format != .table, digits != nil || thousands {
      throw UsageError(
        "--digits and --thousands only apply to tables, and this is \(format.rawValue): add --format table")
    }
    var layout = TableLayout(isStyled: output.isStyled)
    (layout.digitCount, layout.groupsThousands) = (digits, thousands)
    if output.output == nil, Terminal.isOutput { layout.width = Terminal.outputSize.columns }
    return layout
  }
}
