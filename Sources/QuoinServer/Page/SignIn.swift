import QuandlService

/// The page on which a browser shows the token once. After that a cookie says who it is, so no address has the token.
enum SignIn {
  private struct Content: PageContent {
    static let template = "sign-in"
    /// Where to go afterwards.
    let to: String
  }

  static let path = "/sign-in"

  static let routes: [ServerRoute] = [
    Route(
      "signIn", "/sign-in", "Signs a browser in", methods: [.get, .post], mediaTypes: [.html],
      answer: .open { try answer($0, $1) }),
    Route(
      "signOut", "/sign-out", "Signs a browser out", methods: [.post], mediaTypes: [.html],
      answer: .open { secrets, question in
        question.sessions.forEach(secrets.sessions.end)
        return moved(to: path, [SessionCookie.header(nil, origin: question.request.origin)])
      }),
  ]

  /// Leads to this page, from one that needs the token, and later back. An address with the token in it leads to itself without
  /// it, and the browser is signed in: so it is in the history once, and nowhere else.
  static func needed(for target: RequestTarget, _ secrets: Secrets, origin: String) -> ServiceAnswer {
    let kept = target.kept(without: secrets.token)
    if let token = secrets.token, target.query.contains(where: { isKey($0.name) && token.matches($0.value) }) {
      return moved(to: Self.target(kept), [SessionCookie.header(secrets.sessions.begin(), origin: origin)])
    }
    return moved(to: PageAddress(path, [("to", kept == "/" ? "" : kept)]).text)
  }

  private static func isKey(_ name: String) -> Bool { QueryReader.credentials.contains(name) }

  private static func answer(_ secrets: Secrets, _ question: Question) throws -> ServiceAnswer {
    let form = question.isRead ? question.request.query : question.form
    let target = form.last { $0.name == "to" }.map { RequestTarget($0.value).kept(without: secrets.token) } ?? ""
    let isSignedIn = question.sessions.contains(where: secrets.sessions.contains)
    guard let token = secrets.token, !isSignedIn else { return moved(to: Self.target(target)) }
    guard !question.isRead else { return try page(question, to: target) }
    guard let text = form.last(where: { $0.name == "token" })?.value, token.matches(text) else {
      return try page(
        question, to: target, status: 401,
        "That isn't the server's token. It is the word in the file that the server was started with: --token-file.")
    }
    return moved(
      to: Self.target(target), [SessionCookie.header(secrets.sessions.begin(), origin: question.request.origin)])
  }

  private static func page(
    _ question: Question, to target: String, status: Int = 200, _ sentence: String? = nil
  ) throws -> ServiceAnswer {
    var page = Page("Sign in", Content(to: target))
    page.status = status
    if let sentence { page.error = PageError(sentence) }
    return page.answer
  }

  /// Where to go after signing in: an address of this server, else its first page.
  private static func target(_ text: String) -> String {
    let isOurs =
      text.hasPrefix("/") && !text.hasPrefix("//")
      && text.utf8.allSatisfy { (0x21...0x7e).contains($0) && $0 != UInt8(ascii: "\\") }
    return isOurs && !text.hasPrefix(path) ? text : "/"
  }

  private static func moved(to address: String, _ headers: [(name: String, value: String)] = []) -> ServiceAnswer {
    ServiceAnswer(
      status: 303, headers: [("location", address), ("cache-control", "no-store")] + headers, body: AnswerBody([]))
  }
}
