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
  var pages: PageLinks?

  init(_ caption: String, _ headings: [Heading], _ cells: [CellColumn], rows: Range<Int>) {
    (self.caption, self.headings) = (caption, headings)
    let text = RowText(.html, isText: headings.map { !$0.isNumber })
    text.append(cells, rows: rows)
    text.finish()
    var bytes: [UInt8] = []
    while let chunk = text.takeChunk() { bytes += chunk }
    body = String(decoding: bytes, as: UTF8.self)
  }
}

/// One of the words that a reader chooses from: an `option` of HTML.
struct PageChoice {
  let (value, words): (String, String)
  let isChosen: Bool

  /// - Parameter chosen: the value of the one that is chosen.
  init(_ value: String, _ words: String? = nil, chosen: String?) {
    (self.value, self.words, isChosen) = (value, words ?? value, value == chosen)
  }
}

/// The links to the pages before and after one, and what is between them.
struct PageLinks {
  private let before: String?
  let place: String
  private let after: String?

  /// - Parameters:
  ///   - address: the one of any page.
  ///   - number: this page's, from 1.
  init(_ address: PageAddress, _ number: Int, _ place: String, hasMore: Bool) {
    before = number > 1 ? address.setting("page", number == 2 ? nil : "\(number - 1)").text : nil
    after = hasMore ? address.setting("page", "\(number + 1)").text : nil
    self.place = place
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

  /// The links around a page of some of `count` rows, to a part of it.
  func pages(_ number: Int, of rowsPerPage: Int, count: Int, noun: String, part: String = "rows") -> PageLinks {
    let first = (number - 1) * rowsPerPage
    let last = min(first + rowsPerPage, count)
    let place = last > first ? "\((first + 1).grouped) to \(last.grouped)" : "none"
    return PageLinks(at(part), number, "\(place) of \(count.of(noun))", hasMore: last < count)
  }
}
