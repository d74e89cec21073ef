import ArgumentParser
import Console
import Logging
import Quoin
import QuoinServer
import ServiceLifecycle

/// The command `quoin serve`.
@main
struct ServeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "quoin serve",
    abstract: "Show the store to browsers, and answer Quandl's API from it.",
    discussion: """
      Examples:
        quoin serve
        quoin serve --store prices --port 9000
        quoin serve --tls-cert cert.pem --tls-key key.pem
        quoin serve --host 0.0.0.0 --token-file token --tls-cert cert.pem --tls-key key.pem
        curl 'http://127.0.0.1:8977/api/v3/datasets/WIKI/FDX/data.csv?start_date=2005-01-01'
        curl 'http://127.0.0.1:8977/api/v1/scan?where=volume+%3E+1e8&format=csv'
        curl http://127.0.0.1:8977/api/v1/aggregate -d '{"aggregates": "mean(close)", "by": "year", "tickers": "FDX"}'

      A browser shows the store at the server's address: http://127.0.0.1:8977

      An old script needs one line to find the server:
        nasdaqdatalink.ApiConfig.api_base = "http://127.0.0.1:8977/api/v3"

      The server only reads the store, unless --allow-import lets browsers send files on its page. It notices the commits of other commands. /openapi.json describes its routes, /metrics
      is for Prometheus, and /healthz, /readyz and /livez for monitoring. SIGINT and SIGTERM stop it after the answers under way are
      sent, within 30 seconds. SIGHUP makes it
      read the token and the certificate again, or stops it if it belongs to the terminal that was closed.

      Each option can be set in the environment too, --token-file as QUOIN_TOKEN_FILE (lists with commas), or in a JSON file:
        quoin serve --config quoin.json      {"port": 9000, "token-file": "token", "allow-host": ["quotes.example"]}
      An option wins over the environment, and that over the file.

      By default the server listens on localhost only. With any other --host, clients must send the token: in the header
      'x-api-token', in the parameter api_key, as Quandl's clients send their API key, or as 'authorization: Bearer'.
      """)

  @Option(
    help: ArgumentHelp("A JSON file with settings (default: the environment's QUOIN_CONFIG).", valueName: "file"),
    completion: .file())
  var config: String?

  @Option(help: ArgumentHelp("The address to listen on (default: 127.0.0.1).", valueName: "address"))
  var host: String?

  @Option(help: ArgumentHelp("The port to listen on; 0 for any free port (default: 8977).", valueName: "number"))
  var port: Int?

  @Option(help: ArgumentHelp("The certificate for https, in PEM.", valueName: "file"), completion: .file())
  var tlsCert: String?

  @Option(help: ArgumentHelp("The certificate's private key, in PEM.", valueName: "file"), completion: .file())
  var tlsKey: String?

  @Option(
    help: ArgumentHelp(
      "A file with the token that clients must send; required unless the server is on localhost.", valueName: "file"),
    completion: .file())
  var tokenFile: String?

  @Option(
    help: ArgumentHelp(
      "Another name that clients use for the server, such as the name of a proxy in front of it. May be repeated.",
      valueName: "name"))
  var allowHost: [String] = []

  @Option(
    help: ArgumentHelp(
      "The address at which clients reach the server, for links in its answers, such as https://quotes.example.",
      valueName: "url"))
  var publicURL: String?

  @Flag(
    help: "Believe what a proxy in front of the server says of its clients: X-Forwarded-For, -Proto, -Host, Forwarded.")
  var behindProxy = false

  @Option(
    help: ArgumentHelp(
      "A site whose pages may ask from a browser, such as https://charts.example. May be repeated.", valueName: "url"))
  var allowOrigin: [String] = []

  @Flag(
    help:
      "Let browsers send files on the page, and import them once their reader has seen what they are taken for.")
  var allowImport = false

  @Option(
    help: ArgumentHelp(
      "Where long answers wait for their clients, in files without names: TMPDIR of the environment, else /var/tmp.",
      valueName: "directory"),
    completion: .directory)
  var spoolDirectory: String?

  @Option(help: ArgumentHelp("How much they may take there together (default: 4096).", valueName: "number"))
  var spoolMegabytes: Int?

  @Option(
    help: ArgumentHelp("How many seconds the answer to one question may take (default: 30).", valueName: "number"))
  var questionSeconds: Int?

  @Option(
    help: ArgumentHelp(
      "How much memory the answer to one question may take while it is made (default: 1024).", valueName: "number"))
  var questionMegabytes: Int?

  @Option(help: "What to log on standard error; at info, one line for each request (default: info).")
  var logLevel: LogLevel?

  @Option(help: "How to log: for people, or one JSON object a line (default: text).")
  var logFormat: LogFormat?

  @OptionGroup var store: StoreOptions

  static func main() async { await Program.run(Self.self) }

  func run() async throws {
    let settings = try ServeSettings(self)
    StoreOptions.warn(of: settings.store)
    Descriptors.prepareForConnections()
    // A server with 300 clients that take nothing had 100 MB in which nothing was any more.
    System.giveBackLargePieces()
    let server = try QuoinServer(
      store: settings.store, configuration: settings.configuration, logger: settings.logger
    ) { url in
      settings.announce(url)
      ServiceManager.tell("READY=1")
    }
    // A closed terminal ends the server as Ctrl-C does. Without one, as a service, SIGHUP asks for a look at its files.
    let ending = Ending(limit: Deadlines().shutdown)
    let isOfTerminal = Terminal.showsErrors
    let reloading = Reloading(server: server, tokenFile: settings.tokenFile, logger: settings.logger)
    var group = ServiceGroupConfiguration(
      services: [.init(service: server), .init(service: ending)] + (isOfTerminal ? [] : [.init(service: reloading)]),
      gracefulShutdownSignals: [.sigterm, .sigint] + (isOfTerminal ? [.sighup] : []), logger: settings.quietLogger)
    group.maximumGracefulShutdownDuration = Deadlines().shutdown
    do { try await ServiceGroup(configuration: group).run() } catch is CancellationError {
      // The answers under way weren't sent in time.
    }
  }
}

extension ServerError: AdvisedError {
  /// The options that help, which the server doesn't know.
  public var advice: String {
    switch self {
    case .tokenNeeded: ": --token-file FILE, or --host 127.0.0.1"
    case .tokenNeededToImport: ": --token-file FILE"
    case .cannotListen: "; choose another port with --port, or any free one with --port 0"
    case .unknownHost, .badToken, .badCertificate, .badName, .badURL: ""
    }
  }
}

extension LogFormat: ExpressibleByArgument {}
extension LogLevel: ExpressibleByArgument {}
