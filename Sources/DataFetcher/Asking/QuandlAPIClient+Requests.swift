#if Network
  import Foundation
  import QuandlClient
  import Quoin

  extension QuandlAPIClient {
    /// The key of an error's `userInfo` under which a sentence says what happened.
    public var kReasonForFailure: String { "ReasonForFailure" }
    /// The key of an error's `userInfo` under which the HTTP status is, if there was an answer.
    public var kHttpStatusCode: String { "httpStatusCode" }

    func request(
      _ ticker: TickerSymbol, from first: Date, to last: Date, then handler: @escaping QuandlCompletionHandler
    ) {
      let query = TimeSeriesQuery(
        from: TradingDay(first, in: .current), to: TradingDay(last, in: .current), order: .ascending)
      Task {
        let answer: Result<[UInt8], QuandlClientError>
        do throws(QuandlClientError) {
          answer = .success(try await service().unreadData(DatasetCode(ticker), query))
        } catch { answer = .failure(error) }
        // Handlers may block, which Swift's tasks must not.
        queue.async { self.hand(answer, of: ticker, to: handler) }
      }
    }

    private func hand(
      _ answer: Result<[UInt8], QuandlClientError>, of ticker: TickerSymbol, to handler: QuandlCompletionHandler
    ) {
      switch answer {
      case .success(let bytes):
        guard let data = try? JSONSerialization.jsonObject(with: Data(bytes)) as? QuandlData else {
          return handler(ticker.rawValue, nil, error("the answer isn't a JSON object"))
        }
        handler(ticker.rawValue, data, nil)
      case .failure(let reason): handler(ticker.rawValue, nil, error("\(reason)", status: reason.status))
      }
    }

    private func error(_ sentence: String, status: Int? = nil) -> NSError {
      var details: [String: Any] = [NSLocalizedDescriptionKey: sentence, kReasonForFailure: sentence]
      details[kHttpStatusCode] = status
      return NSError(domain: "APIRequestError", code: 0, userInfo: details)
    }

    /// Saves the answer.
    var savingHandler: QuandlCompletionHandler {
      { companyName, jsonData, error in
        if let error { return Complaint.print(error.localizedDescription) }
        JSONReader(withCoreDataStack: self.coreDataStack, shown: self.withoutKey)
          .saveQuandlData(forCompanyName: companyName, forJSONResponseDict: jsonData ?? [:])
      }
    }

    /// Prints the answer.
    var printingHandler: QuandlCompletionHandler {
      { companyName, jsonData, error in
        print("\(companyName): \(self.withoutKey(error?.localizedDescription ?? "\(jsonData ?? [:])"))")
      }
    }

    /// The text without the key, which the service may repeat.
    func withoutKey(_ text: String) -> String { (try? service())?.redacted(text) ?? text }
  }
#endif
