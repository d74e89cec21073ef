/// The pages of a table. Each is requested when the iteration needs it.
public struct DatatablePages: AsyncSequence, Sendable {
  /// One page.
  public typealias Element = DatatablePage

  let client: QuandlClient
  let query: DatatableQuery
  var cursor: String?

  /// An iterator that begins with the first page.
  public func makeAsyncIterator() -> Iterator { Iterator(client: client, query: query, cursor: cursor) }

  /// Requests one page at a time.
  public struct Iterator: AsyncIteratorProtocol {
    private let client: QuandlClient
    private let query: DatatableQuery
    private var cursor: String?
    private var isDone = false
    /// The cursors so far. A repeated one would make the iteration endless.
    private var seen: Set<String> = []

    init(client: QuandlClient, query: DatatableQuery, cursor: String?) {
      self.client = client
      self.query = query
      self.cursor = cursor
    }

    /// The next page; nil after the last one.
    ///
    /// - Throws: `QuandlClientError`, also if a cursor is repeated. There are no more pages after an error.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(QuandlClientError) -> DatatablePage? {
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
