import Quoin

/// One page of a list, counted from 1.
struct ListPage {
  private let search: String
  private let itemsPerPage: Int
  private let number: Int
  private let itemCount: Int

  init(_ parameters: Parameters, itemCount: Int) throws(ServiceError) {
    search = parameters.value(["query"]) ?? ""
    itemsPerPage = min(try parameters.number("per_page", from: 1) ?? .max, ServiceLimits.datasetsPerPage)
    number = try parameters.number("page", from: 1) ?? 1
    self.itemCount = itemCount
  }

  private var pageCount: Int { (itemCount + itemsPerPage - 1) / itemsPerPage }

  /// The places of the page's items; none behind the last page.
  var items: Range<Int> {
    guard number <= pageCount else { return itemCount..<itemCount }
    let first = (number - 1) * itemsPerPage
    return first..<min(first + itemsPerPage, itemCount)
  }

  var meta: JSONValue {
    [
      "query": .string(search), "per_page": .integer(itemsPerPage), "current_page": .integer(number),
      "prev_page": number > 1 ? .integer(number - 1) : .null, "total_pages": .integer(pageCount),
      "total_count": .integer(itemCount), "next_page": number < pageCount ? .integer(number + 1) : .null,
      "current_first_item": items.isEmpty ? .null : .integer(items.lowerBound + 1),
      "current_last_item": items.isEmpty ? .null : .integer(items.upperBound),
    ]
  }
}
