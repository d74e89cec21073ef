/// The pages of a table, each asked for when it is wanted.
public struct DatatablePages: AsyncSequence, Sendable {
  /// One page.
  public typealias Element = DatatablePage

  let client: QuandlClient
  let query: DatatableQuery
  var cursor: String?

  /// An iterator that asks for the pages anew, the first one first.
  public func makeAsyncIterator() -> Iterator { Iterator(client: client, query: query, cursor: cursor) }

  /// Asks for a page each time that it is asked for one.
  public struct Iterator: AsyncIteratorProtocol {
    private let client: QuandlClient
    private let query: DatatableQuery
    private var cursor: String?
    private var isDone = false
    /// The cursors there were: one that comes again would lead round in a circle.
    private var seen: Set<String> = []

    init(client: QuandlClient, query: DatatableQuery, cursor: String?) {
      self.client = client
      self.query = query
      self.cursor = cursor
    }

    /// The next page; nil after the last one.
    ///
    /// - Throws: `QuandlClientError`, also for a cursor that comes again; `CancellationError`. After that there are no
    ///   more pages.
    public mutating func next() async throws -> DatatablePage? {
      if isDone { return nil }
      isDone = true
      let page = try DatatablePage(await client.document(query.call(client.base, cursor: cursor)), client)
      if let next = page.nextCursor {
        guard seen.insert(next).inserted, next != cursor else {
          throw client.failure(
            .malformed, "the service gives the same cursor again: its pages go round in a circle", url: page.url)
        }
        cursor = next
        isDone = false
      }
      return page
    }
  }
}

extension QuandlClient {
  /// The rows of a table, page by page.
  public func pages(_ query: DatatableQuery = DatatableQuery()) -> DatatablePages {
    DatatablePages(client: self, query: query)
  }
}
