import ArgumentParser
import Charts
import Console
import Quoin

/// The options that say where a chart goes.
struct ChartDeviceOptions: ParsableArguments {
  /// What is written.
  enum Format: String, CaseIterable {
    case text, svg, html, png
  }

  /// When text has colors.
  enum Coloring: String, CaseIterable {
    case auto, always, never
  }

  @Option(
    help: ArgumentHelp("Write to a file, which appears only when it is complete.", valueName: "file"),
    completion: .file())
  var output: String?

  @Option(
    help: ArgumentHelp(
      "text, svg, html or png (default: by the extension of --output; otherwise text on a terminal and svg in a pipe).",
      valueName: "format"),
    completion: .list(Format.allCases.map(\.rawValue)))
  var format: String?

  @Option(help: ArgumentHelp("The width in pixels, or of text in characters.", valueName: "n"))
  var width: Int?

  @Option(help: ArgumentHelp("The height in pixels, or of text in lines.", valueName: "n"))
  var height: Int?

  @Option(
    help: ArgumentHelp("Colors of pictures: auto (as the reader's system prefers), light or dark.", valueName: "theme"),
    completion: .list(SVGWriter.Theme.allCases.map(\.rawValue)))
  var theme = SVGWriter.Theme.auto.rawValue

  @Option(
    help: ArgumentHelp("Colors of text: auto (on a terminal, without NO_COLOR), always or never.", valueName: "when"),
    completion: .list(Coloring.allCases.map(\.rawValue)))
  var color = Coloring.auto.rawValue

  /// Where the chart goes, in which form.
  func target() throws -> ChartTarget {
    guard let coloring = Coloring(rawValue: color) else {
      throw UsageError.unknownName(color, what: "choice of colors", among: Coloring.allCases.map(\.rawValue))
    }
    guard let theme = SVGWriter.Theme(rawValue: theme) else {
      throw UsageError.unknownName(theme, what: "theme", among: SVGWriter.Theme.allCases.map(\.rawValue))
    }
    for (option, value) in [("--width", width), ("--height", height)] {
      if let value, !(10...10_000).contains(value) {
        throw UsageError("\(option) \(value): must be from 10 to 10000")
      }
    }
    return ChartTarget(
      output: output, format: try chosenFormat(), theme: theme, width: width, height: height,
      isStyled: coloring == .always || coloring == .auto && output == nil && Terminal.isStyled)
  }

  private func chosenFormat() throws -> Format {
    if let format {
      guard let format = Format(rawValue: format.lowercased()) else {
        throw UsageError.unknownName(format, what: "format", among: Format.allCases.map(\.rawValue))
      }
      return format
    }
    guard let output, output != "-" else { return Terminal.isOutput ? .text : .svg }
    let name = output.split(separator: "/").last.map { $0.lowercased() } ?? ""
    guard let dot = name.lastIndex(of: ".") else { return .svg }
    let ending = String(name[name.index(after: dot)...])
    switch ending {
    case "htm": return .html
    case "txt": return .text
    default:
      guard let format = Format(rawValue: ending) else {
        throw UsageError(
          "'\(output)' says no format that a chart can have: .svg, .png, .html or .txt; or name one with --format")
      }
      return format
    }
  }
}
