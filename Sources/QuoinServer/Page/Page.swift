import Mustache
import QuandlService
import Quoin

/// A page in the making: what all views share, and what its template shows.
struct Page {
  /// The views that every page links to.
  enum View: CaseIterable {
    case store, ranges, questions, imports

    fileprivate var name: String { "\(self)".prefix(1).uppercased() + "\(self)".dropFirst() }

    var path: String { self == .store ? "/" : "/\(self)" }
  }

  var status = 200
  /// What is wrong with the question.
  var error: PageError?
  private let template: String
  private var content: [String: Any] = [:]

  /// - Parameter template: the file of `Templates` with what is special in the page.
  init(_ title: String, _ template: String, view: View? = nil, takesFiles: Bool = false) {
    self.template = template
    content["title"] = title
    content["views"] = View.allCases.filter { $0 != .imports || takesFiles || view == .imports }.map {
      ["name": $0.name, "address": $0.path, "isCurrent": $0 == view] as [String: Any]
    }
    content["script"] = PageAsset.script.address
    (content["style"], content["icon"]) = (PageAsset.style.address, PageAsset.icon.address)
  }

  /// A page about a store.
  init(_ title: String, _ template: String, view: View? = nil, for call: StoreCall) {
    self.init(title, template, view: view, takesFiles: call.takesFiles)
    content["generation"] = "\(call.view.stamp.generation)"
    content["moment"] = call.view.store.committedAt.inWords
    content["signsOut"] = call.asksForToken
  }

  /// What the template calls by a name; nil for what it leaves out.
  subscript(name: String) -> Any? {
    get { content[name] }
    set { content[name] = newValue }
  }

  /// Says on the page why it can't be answered.
  mutating func refuse(_ refusal: Refusal) { (status, error) = (refusal.status, PageError(refusal.message)) }

  var answer: ServiceAnswer {
    var content = content
    if let error { content["error"] = error.content }
    let text = PageTemplates.library.render(content, withTemplate: template) ?? ""
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

  fileprivate var content: [String: Any] {
    var content: [String: Any] = ["sentence": sentence]
    if let place { content["place"] = place }
    return content
  }
}

extension Refusal {
  /// The refusal for a reader.
  var page: ServiceAnswer {
    var page = Page(status == 404 ? "Not found" : "This can't be shown", "error")
    page.refuse(self)
    return page.answer
  }
}

extension CommitTime {
  /// `2005-10-14 16:00:00 UTC`
  var inWords: String { description.prefix(19).replacing("T", with: " ") + " UTC" }
}

enum PageTemplates {
  static let library: MustacheLibrary = {
    let files: [(String, [UInt8])] = [
      ("bottom", PackageResources.bottom_mustache), ("check", PackageResources.check_mustache),
      ("error", PackageResources.error_mustache), ("imports", PackageResources.imports_mustache),
      ("questions", PackageResources.questions_mustache), ("ranges", PackageResources.ranges_mustache),
      ("rows", PackageResources.rows_mustache), ("sign-in", PackageResources.sign_in_mustache),
      ("store", PackageResources.store_mustache), ("ticker", PackageResources.ticker_mustache),
      ("top", PackageResources.top_mustache),
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
