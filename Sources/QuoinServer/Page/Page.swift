import Charts
import Mustache
import QuandlService
import Quoin

/// What the template of a page shows: it calls the properties by their names, and nil and false are left out.
protocol PageContent {
  /// The file of `Templates`.
  static var template: String { get }
}

/// The views that every page links to.
enum PageView: CaseIterable {
  case store, ranges, questions, imports

  fileprivate var name: String { "\(self)".prefix(1).uppercased() + "\(self)".dropFirst() }

  var path: String { self == .store ? "/" : "/\(self)" }
}

/// What all pages have around their content: what the template `frame` shows.
private struct PageFrame: PageContent {
  static let template = "frame"

  struct Link {
    let (name, address): (String, String)
    let isCurrent: Bool
  }

  let title: String
  let views: [Link]
  let script = PageAsset.script.address
  let style = PageAsset.style.address
  let icon = PageAsset.icon.address
  var generation: String?
  var moment: String?
  var signsOut = false
  var error: PageError?
  var body = ""
}

/// A page in the making.
struct Page<Content: PageContent> {
  var status = 200
  var content: Content
  private var frame: PageFrame

  init(_ title: String, _ content: Content, view: PageView? = nil, takesFiles: Bool = false) {
    self.content = content
    let views = PageView.allCases.filter { $0 != .imports || takesFiles || view == .imports }
    frame = PageFrame(
      title: title, views: views.map { .init(name: $0.name, address: $0.path, isCurrent: $0 == view) })
  }

  /// A page about a store.
  init(_ title: String, _ content: Content, view: PageView? = nil, for call: StoreCall) {
    self.init(title, content, view: view, takesFiles: call.takesFiles)
    frame.generation = "\(call.view.stamp.generation)"
    frame.moment = call.view.store.committedAt.inWords
    frame.signsOut = call.asksForToken
  }

  /// What is wrong with the question.
  var error: PageError? {
    get { frame.error }
    set { frame.error = newValue }
  }

  /// Says on the page why it can't be answered.
  mutating func refuse(_ refusal: Refusal) { (status, error) = (refusal.status, PageError(refusal.message)) }

  /// Says on the page why it can't be answered.
  ///
  /// - Throws: the error again, if it isn't the question's.
  mutating func refuse(_ error: any Error, in store: QuoteStore) throws {
    switch error {
    case let refusal as Refusal: refuse(refusal)
    case let error as ChartError: refuse(.wrongParameter("\(error)"))
    case StoreError.unknownTicker(let ticker): refuse(.noQuotes(of: "\(ticker)", in: store))
    default:
      guard let refusal = (error as? StoreError).flatMap(Refusal.init) else { throw error }
      refuse(refusal)
    }
  }

  var answer: ServiceAnswer {
    var frame = frame
    frame.body = PageTemplates.text(content)
    let text = PageTemplates.text(frame)
    return ServiceAnswer(
      status: status, .html,
      headers: [("content-security-policy", policy), ("referrer-policy", "same-origin"), ("x-frame-options", "DENY")],
      body: AnswerBody(Array(text.utf8)))
  }

  /// Nothing but our own script runs: no other file of the server is a script, and `nosniff` keeps it so.
  private var policy: String {
    [
      "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self'", "connect-src 'self'",
      "form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'",
    ].joined(separator: "; ")
  }
}

/// What is wrong with a question, in a sentence; for an expression also the text and the place.
struct PageError {
  var sentence: String
  var place: String?

  /// - Parameter text: the sentence, and perhaps lines that show the place.
  init(_ text: String) {
    let lines = text.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
    // A parameter keeps its spelling.
    let isName = lines[0].prefix { $0 != " " }.contains { ".=:_".contains($0) }
    sentence = isName ? String(lines[0]) : lines[0].prefix(1).uppercased() + lines[0].dropFirst()
    if let last = sentence.last, !".?!".contains(last) { sentence += "." }
    place = lines.count > 1 ? String(lines[1]) : nil
  }
}

/// A page of a refusal alone.
private struct RefusalContent: PageContent {
  static let template = "error"
}

extension Refusal {
  /// The refusal for a reader.
  var page: ServiceAnswer {
    var page = Page(status == 404 ? "Not found" : "This can't be shown", RefusalContent())
    page.refuse(self)
    return page.answer
  }
}

extension CommitTime {
  /// `2005-10-14 16:00:00 UTC`
  var inWords: String { description.prefix(19).replacing("T", with: " ") + " UTC" }
}

enum PageTemplates {
  fileprivate static func text<Content: PageContent>(_ content: Content) -> String {
    library.render(content, withTemplate: Content.template) ?? ""
  }

  private static let library: MustacheLibrary = {
    let files: [(String, [UInt8])] = [
      ("check", PackageResources.check_mustache), ("error", PackageResources.error_mustache),
      ("frame", PackageResources.frame_mustache), ("imports", PackageResources.imports_mustache),
      ("questions", PackageResources.questions_mustache), ("ranges", PackageResources.ranges_mustache),
      ("rows", PackageResources.rows_mustache), ("sign-in", PackageResources.sign_in_mustache),
      ("store", PackageResources.store_mustache), ("ticker", PackageResources.ticker_mustache),
    ]
    var templates: [String: MustacheTemplate] = [:]
    for (name, bytes) in files {
      do { templates[name] = try MustacheTemplate(string: String(decoding: bytes, as: UTF8.self)) } catch {
        preconditionFailure("the template '\(name)': \(error)")
      }
    }
    return MustacheLibrary(templates: templates)
  }()
}
