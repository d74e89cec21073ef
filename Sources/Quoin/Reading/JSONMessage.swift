/// What a service says in place of quotes: `{"Note": "..."}`, `{"error": {"code": 429, "message": "..."}}`, `{"s": "no_data"}`.
struct JSONMessage {
  let code: String
  let text: String

  /// Names that say by themselves that something went wrong.
  private static let strongNames: Set<String> = [
    "error", "errors", "errormessage", "errmsg", "errormsg", "errordescription", "note", "information", "quandlerror",
    "fault",
  ]
  /// Names that say so in a document that has nothing else, or beside others that do.
  private static let weakNames: Set<String> = ["message", "msg", "detail", "description", "info", "reason", "title"]
  private static let codeNames: Set<String> = ["code", "errorcode", "errcode", "status", "statuscode"]

  /// The message of a document; nil if it has none.
  init?(in document: JSONNode) {
    let root = document.isSequence ? document.firstElement ?? document : document
    guard let found = Self.message(root, levels: 4) else { return nil }
    self = found
  }

  func error(file: String) -> ImportError { .vendorError(file: file, code: code, message: text) }

  private init(code: String, text: String) {
    self.code = ShownText.sanitized(code.utf8)
    self.text = ShownText.sanitized(text.utf8, byteCount: 300)
  }

  private static func message(_ object: JSONNode, levels: Int) -> JSONMessage? {
    guard levels > 0, object.kind == .object else { return nil }
    for (key, value) in object.members where strongNames.contains(JSONColumnName.word(key.string)) {
      if let found = text(value) { return JSONMessage(code: code(value) ?? code(object) ?? "", text: found) }
    }
    if !object.members.contains(where: { $0.value.isContainer }), let found = weakText(object) {
      return JSONMessage(code: code(object) ?? "", text: found)
    }
    for (_, value) in object.members {
      if let found = message(value, levels: levels - 1) { return found }
    }
    return nil
  }

  /// The text of an error, which may be a text, or an object or array that has one.
  private static func text(_ value: JSONNode) -> String? {
    switch value.kind {
    case .text: value.scalar
    case .object:
      weakText(value) ?? value.members.lazy.compactMap { $0.value.kind == .text ? $0.value.scalar : nil }.first
    case .array: value.firstElement.flatMap { $0.isContainer && $0.kind == .array ? nil : text($0) }
    case .number, .truth, .null: nil
    }
  }

  private static func weakText(_ object: JSONNode) -> String? {
    for (key, value) in object.members where value.kind == .text {
      let word = JSONColumnName.word(key.string)
      if weakNames.contains(word), let text = value.scalar { return text }
      if word == "s", let text = value.scalar, text != "ok" { return text }
    }
    return nil
  }

  private static func code(_ object: JSONNode) -> String? {
    object.members.lazy.compactMap { key, value in
      codeNames.contains(JSONColumnName.word(key.string)) ? value.scalar : nil
    }.first
  }
}
