import Quoin

/// What a call for a list asks for: one of its pages.
struct ListQuestion: ServiceQuestion {
  private(set) var search = ""
  fileprivate var itemsPerPage = ServiceLimits.datasetsPerPage
  fileprivate var page = 1

  static let parameters: [Parameter<ListQuestion>] = [
    .text("query", "Words to look for.") { question, text in
      guard text.utf8.count <= ServiceLimits.searchByteCount else {
        throw ServiceError.badValue(text, of: "query", "it has at most \(ServiceLimits.searchByteCount) bytes")
      }
      question.search = text
    },
    .number("per_page", from: 1, default: ServiceLimits.datasetsPerPage, "Items of a page, at most the default.") {
      $0.itemsPerPage = min($1, ServiceLimits.datasetsPerPage)
    },
    .number("page", from: 1, default: 1, "The page, from 1.") { $0.page = $1 },
  ]
}

/// One page of a list.
struct ListPage {
  private let question: ListQuestion
  private let itemCount: Int

  init(_ question: ListQuestion, itemCount: Int) {
    self.question = question
    self.itemCount = itemCount
  }

  private var number: Int { question.page }
  private var itemsPerPage: Int { question.itemsPerPage }
  private var pageCount: Int { (itemCount + itemsPerPage - 1) / itemsPerPage }

  /// The indices of the page's items; empty after the last page.
  var items: Range<Int> {
    guard number <= pageCount else { return itemCount..<itemCount }
    let first = (number - 1) * itemsPerPage
    return first..<min(first + itemsPerPage, itemCount)
  }

  var meta: JSONValue {
    [
      "query": .string(question.search), "per_page": .integer(itemsPerPage), "current_page": .integer(number),
      "prev_page": number > 1 ? .integer(number - 1) : .null, "total_pages": .integer(pageCount),
      "total_count": .integer(itemCount), "next_page": number < pageCount ? .integer(number + 1) : .null,
      "current_first_item": items.isEmpty ? .null : .integer(items.lowerBound + 1),
      "current_last_item": items.isEmpty ? .null : .integer(items.upperBound),
    ]
  }
}
