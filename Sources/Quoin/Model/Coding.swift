// A ticker, a day and an attribute are coded as their text, also where they are the keys of a dictionary.

/// A key that is any text.
struct TextKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(_ text: String) { stringValue = text }
  init(stringValue: String) { self.init(stringValue) }
  init?(intValue: Int) { nil }
}

extension TickerSymbol: Codable, CodingKeyRepresentable {
  /// The ticker as a key: `FDX`.
  public var codingKey: any CodingKey { TextKey(description) }

  /// The ticker that a key spells; nil if it is no symbol.
  public init?(codingKey: some CodingKey) {
    guard let ticker = try? Self(codingKey.stringValue) else { return nil }
    self = ticker
  }

  /// Reads the spelling: `"FDX"`.
  ///
  /// - Throws: `DecodingError` if it is no symbol.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    do {
      self = try Self(container.decode(String.self))
    } catch let error as TickerSymbolError {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: error.description)
    }
  }

  /// Writes the spelling.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

extension TradingDay: Codable, CodingKeyRepresentable {
  /// The day as a key: `2018-03-27`.
  public var codingKey: any CodingKey { TextKey(description) }

  /// The day that a key names; nil if it names none.
  public init?(codingKey: some CodingKey) { self.init(codingKey.stringValue) }

  /// Reads the date: `"2018-03-27"`.
  ///
  /// - Throws: `DecodingError` if there is no such day.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let day = Self(try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "a date of the form YYYY-MM-DD was expected")
    }
    self = day
  }

  /// Writes the date.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

extension Attribute: Codable, CodingKeyRepresentable {
  /// The name as a key: `ex-dividend`.
  public var codingKey: any CodingKey { TextKey(wikiName) }

  /// The attribute that a key names, in any spelling of `init(named:)`; nil if there is none.
  public init?(codingKey: some CodingKey) { self.init(named: codingKey.stringValue) }

  /// Reads the name, in any spelling of `init(named:)`.
  ///
  /// - Throws: `DecodingError` if there is no such attribute.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let attribute = Self(named: try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "the name of an attribute was expected")
    }
    self = attribute
  }

  /// Writes the name of WIKI's files: `"ex-dividend"`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(wikiName)
  }
}
