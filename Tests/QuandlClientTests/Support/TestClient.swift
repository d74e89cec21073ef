import Synchronization
import Testing

@testable import QuandlClient

/// Clocks of a test: no time passes while a client waits, but it is written down how long it meant to.
final class RecordingClock: Sendable {
  private let state = Mutex<[Duration]>([])
  let secondsSince1970: Int64

  init(secondsSince1970: Int64 = 0) { self.secondsSince1970 = secondsSince1970 }

  var waits: [Duration] { state.withLock { $0 } }

  var timing: Timing {
    let now = secondsSince1970
    return Timing(
      sleep: { (time) async throws(QuandlClientError) in
        if Task.isCancelled { throw .cancelled }
        self.state.withLock { $0.append(time) }
      }, secondsSince1970: { now })
  }
}

extension ScriptedServer {
  /// A client of this server, with more patience than a machine needs whose threads all have other work for minutes: it
  /// would rightly ask again, and the requests be more than a test counts.
  func client(
    apiKey: String? = nil, clock: RecordingClock = RecordingClock(),
    _ change: (inout QuandlClient.Configuration) -> Void = { _ in }
  ) throws -> QuandlClient {
    var configuration = QuandlClient.Configuration()
    let patience = Duration.seconds(3600)
    configuration.timeLimits.connection = patience
    (configuration.timeLimits.silence, configuration.timeLimits.answer) = (patience, patience)
    configuration.timeLimits.downloadSilence = patience
    change(&configuration)
    return try QuandlClient(apiKey: apiKey, baseURL: base, configuration: configuration, timing: clock.timing)
  }
}

/// The client's error that `body` ends with.
func clientError(_ body: () async throws -> some Any) async throws -> QuandlClientError {
  do {
    _ = try await body()
  } catch {
    return try #require(error as? QuandlClientError, "\(error)")
  }
  throw NoError()
}

struct NoError: Error {}

/// An answer of the time-series call with one row of FDX.
let fedExDataset =
  #"{"dataset_data":{"limit":null,"transform":null,"column_index":null,"column_names":["Date","Close","Volume"],"#
  + #""start_date":"2005-10-14","end_date":"2005-10-14","frequency":"daily","data":[["2005-10-14",87.6,1373400.0]],"#
  + #""collapse":null,"order":"desc"}}"#
