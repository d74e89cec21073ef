import QuandlService
import Quoin

/// A table of rows: what the template `rows` shows.
struct PageRows {
  /// A column's name, and where its order leads.
  struct Heading {
    let name: String
    var isNumber = true
    /// What a click orders the rows by; nil for nothing.
    var address: String?
    /// How the rows are ordered by it: `ascending`; nil if they aren't.
    var sorting: String?
  }

  let caption: String
  let headings: [Heading]
  private let body: String
  /// The links to the pages before and after this one, and what is between them.
  var pages: (before: String?, place: String, after: String?)?

  init(_ caption: String, _ headings: [Heading], _ cells: [CellColumn], rows: Range<Int>) {
    (self.caption, self.headings) = (caption, headings)
    let text = RowText(.html, isText: headings.map { !$0.isNumber })
    text.append(cells, rows: rows)
    text.finish()
    var bytes: [UInt8] = []
    while let chunk = text.takeChunk() { bytes += chunk }
    body = String(decoding: bytes, as: UTF8.self)
  }

  var content: [String: Any] {
    var content: [String: Any] = ["caption": caption, "body": body]
    content["headings"] = headings.map { heading in
      var content: [String: Any] = ["name": heading.name, "isNumber": heading.isNumber]
      content["address"] = heading.address
      content["sorting"] = heading.sorting
      return content
    }
    if let pages { content["pages"] = Self.content(pages) }
    return content
  }

  /// Links to pages, for a template.
  static func content(_ pages: (before: String?, place: String, after: String?)) -> [String: Any] {
    var content: [String: Any] = ["place": pages.place]
    content["before"] = pages.before
    content["after"] = pages.after
    return content
  }
}

extension PageAddress {
  /// The number of the page of rows, from 1.
  func pageNumber() throws(Refusal) -> Int {
    guard let text = self["page"] else { return 1 }
    guard let number = Int(text), (1...1_000_000).contains(number) else {
      throw .wrongParameter("page=\(text.prefix(40)) isn't the number of a page; write one from 1 on")
    }
    return number
  }

  /// The links around a page, to a part of it.
  func pages(
    _ number: Int, of rowsPerPage: Int, count: Int, noun: String, part: String = "rows"
  ) -> (String?, String, String?) {
    let first = (number - 1) * rowsPerPage
    let last = min(first + rowsPerPage, count)
    let address = at(part)
    return (
      number > 1 ? address.setting("page", number == 2 ? nil : "\(number - 1)").text : nil,
      last > first ? "\((first + 1).grouped) to \(last.grouped) of \(count.of(noun))" : "none of \(count.of(noun))",
      last < count ? address.setting("page", "\(number + 1)").text : nil
    )
  }
}
