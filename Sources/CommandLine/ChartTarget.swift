import Charts
import Console
import Quoin

/// Where a chart goes, and in which form.
struct ChartTarget {
  let output: String?
  let format: ChartDeviceOptions.Format
  let theme: SVGWriter.Theme
  /// Pixels or characters; nil for the usual ones.
  let width: Int?
  let height: Int?
  let isStyled: Bool

  func write(_ chart: Chart) throws {
    func scene() throws -> Scene { try Scene(chart, metrics(chart)) }
    switch format {
    case .text: try write(TerminalWriter.text(scene(), styled: isStyled))
    case .svg: try write(SVGWriter.document(scene(), theme: theme))
    case .html: try write(ChartPage.document(chart, theme: theme, width: width ?? 1200, height: height))
    case .png: try writePNG(SVGWriter.document(scene(), theme: theme == .auto ? .light : theme))
    }
  }

  private func metrics(_ chart: Chart) -> SceneMetrics {
    guard format == .text else {
      // Panels beyond two make a picture higher.
      let usual = 540 + max(0, chart.panels.count - 2) * 110
      return .picture(width: width ?? 960, height: height ?? usual)
    }
    let size = Terminal.outputSize
    // A line for the prompt that follows.
    return .terminal(columns: width ?? size.columns, rows: height ?? size.rows - 1)
  }

  private func write(_ text: String) throws {
    let output = try Output(to: output)
    try output.write(text)
    try output.finish()
  }

  /// Has librsvg's program make the picture.
  private func writePNG(_ picture: String) throws {
    if output == nil, Terminal.isOutput {
      throw UsageError("a png picture is no text for a terminal; write it to a file: --output chart.png")
    }
    let file = try Output(to: output)
    let program = "rsvg-convert"
    let converter: ReadingProgram
    do throws(SystemError) {
      // Twice the size, so that it is sharp on any screen.
      converter = try ReadingProgram(program, ["--zoom", "2", "--format", "png"], output: file.descriptor)
    } catch {
      throw DataError(
        "'\(program)', which makes png of svg, can't be run: \(systemMessage(error.code)); install it "
          + "(Debian's package librsvg2-bin), or write svg: --output chart.svg")
    }
    let status = converter.finish(reading: Array(picture.utf8))
    guard status == 0 else {
      throw DataError("'\(program)' ended with status \(status) and made no picture; write svg: --output chart.svg")
    }
    try file.finish()
  }
}

extension ChartError: AdvisedError {
  package var advice: String {
    switch self {
    case .nothingPositive: "; leave --log out"
    case .noRows, .tooManyPanels: ""
    }
  }
}
