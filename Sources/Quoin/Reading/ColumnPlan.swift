/// The role of each column of a file, from the columns' names.
struct ColumnPlan: Sendable {
  let names: [String]
  private(set) var roles: [ColumnRole]
  /// The attributes that the file has.
  let attributes: AttributeSet
  /// What stands before each name, as in R's `AAPL.Open`; it may be the ticker.
  let prefix: String?
  /// What the names left open, and how it was decided, as sentences.
  private(set) var notes: [String] = []
  /// Columns of volumes of which one has the role and another one would have had it.
  private(set) var rivals: [(winner: Int, loser: Int)] = []
  /// What is taken off the end of tickers.
  private(set) var tickerSuffix: [UInt8] = []
  /// What the caller says of columns.
  private let uses: [String: ImportedFile.Column.Use]

  /// The plan for columns with these names.
  ///
  /// - Parameter uses: what the caller says of some of them, whatever their names mean.
  /// - Throws: `ImportError` if there is no date, if there is no attribute, if two columns have one role, or if prices or volumes would
  ///   be left out.
  init(
    names: [String], uses: [String: ImportedFile.Column.Use] = [:], header: String, file: String
  ) throws(ImportError) {
    self.init(guessing: names, uses: uses)
    try check(header: header, file: file)
    try checkNothingIsLeftOut(looks: [:], file: file)
  }

  /// The same, whatever comes of it.
  init(guessing names: [String], uses: [String: ImportedFile.Column.Use] = [:]) {
    let shown = names.map(ImportedFile.Column.shown)
    let prefix = Self.commonPrefix(of: names)
    let bare = names.map { name in
      prefix.map { name.hasPrefix($0 + ".") ? String(name.dropFirst($0.count + 1)) : name } ?? name
    }
    let meanings = Self.meanings(bare)
    var roles = zip(shown, meanings).map { name, meaning in
      if let use = uses[name] { return ColumnRole(use) }
      if case .role(let role, _)? = meaning { return role }
      return .ignored
    }
    var notes: [String] = []
    var rivals: [(winner: Int, loser: Int)] = []
    // What the caller says goes before what a name means, and a better name before a worse one.
    for column in roles.indices where uses[shown[column]] == nil && roles[column] != .ignored {
      guard case .role(let role, let rank)? = meanings[column] else { continue }
      let same = roles.indices.filter { $0 != column && Self.isSame(roles[$0], role) }
      let better = same.first { other in
        guard uses[shown[other]] == nil, case .role(_, let otherRank)? = meanings[other] else { return true }
        return otherRank < rank || otherRank == rank && rank >= 100 && other < column
      }
      guard let better else { continue }
      roles[column] = .ignored
      if let attribute = role.attribute, uses[shown[better]] == nil {
        notes.append("'\(shown[better])' is taken for the \(attribute.wikiName), and '\(shown[column])' isn't")
        if attribute == .volume { rivals.append((better, column)) }
      }
    }
    (self.names, self.roles, self.uses, self.notes, self.prefix) = (shown, roles, uses, notes, prefix)
    self.rivals = rivals
    attributes = AttributeSet(roles.compactMap(\.attribute))
  }

  private static func isSame(_ one: ColumnRole, _ other: ColumnRole) -> Bool {
    one == other || one.attribute != nil && one.attribute == other.attribute
  }

  /// What the names mean beside each other: `o h l c v` only together, and `day` beside a year and a month.
  private static func meanings(_ names: [String]) -> [ColumnNames.Meaning?] {
    let bare = names.map(ColumnNames.simplified)
    let hasLetters = ["o", "h", "l", "c"].allSatisfy(bare.contains)
    var meanings: [ColumnNames.Meaning?] = []
    for (name, simple) in zip(names, bare) {
      if hasLetters, let attribute = letters[simple] {
        meanings.append(.role(ColumnRole(attribute), rank: 0))
      } else {
        meanings.append(ColumnNames.meaning(of: name))
      }
    }
    func place(_ role: ColumnRole) -> Int? {
      meanings.firstIndex { meaning in
        if case .role(let other, _)? = meaning { return other == role }
        return false
      }
    }
    if place(.datePart(.year)) != nil, place(.datePart(.month)) != nil, let day = bare.firstIndex(of: "day") {
      meanings[day] = .role(.datePart(.day), rank: 0)
    }
    // Parts of a day count only together, and where no column has the day.
    let hasParts = DatePart.allCases.allSatisfy { place(.datePart($0)) != nil }
    if !hasParts || place(.date) != nil {
      for part in DatePart.allCases {
        while let column = place(.datePart(part)) { meanings[column] = .nothing }
      }
    }
    return meanings
  }

  private static let letters: [String: Attribute] = ["o": .open, "h": .high, "l": .low, "c": .close, "v": .volume]

  /// What stands before the point in all names that have one, if these are three and more: R writes `AAPL.Open`.
  private static func commonPrefix(of names: [String]) -> String? {
    let parted = names.filter { !$0.isEmpty && $0 != "Date" && $0 != "Index" }.map { name in
      name.lastIndex(of: ".").map { name[..<$0] }
    }
    guard parted.count >= 3, let first = parted[0], !first.isEmpty, parted.allSatisfy({ $0 == first }) else {
      return nil
    }
    return first.lowercased() == "adj" ? nil : String(first)
  }

  func check(header: String, file: String) throws(ImportError) {
    for (column, role) in roles.enumerated() where role != .ignored && roles[..<column].contains(role) {
      throw .repeatedColumn(file: file, column: names[column])
    }
    guard hasDate else { throw .noDateColumn(file: file, header: header) }
    guard !attributes.isEmpty else { throw .noValueColumn(file: file, header: header) }
  }

  var hasTicker: Bool { roles.contains(.ticker) }
  var hasDate: Bool { roles.contains(.date) || roles.contains(.datePart(.day)) }

  /// The same plan with a column that holds the days.
  func having(dateColumn column: Int) -> ColumnPlan {
    var plan = self
    plan.roles[column] = .date
    return plan
  }

  /// The column that may hold tickers or the names of companies.
  var nameColumn: Int? {
    roles.indices.first {
      roles[$0] == .ticker && uses[names[$0]] == nil && ColumnNames.simplified(names[$0]) == "name"
    }
  }

  /// Notes that a column holds names of companies, not tickers.
  mutating func passOver(names column: Int) {
    roles[column] = .ignored
    notes.append("'\(names[column])' has names, not tickers, and was passed over")
  }

  /// Notes that tickers end with what Stooq puts behind those of the United States in one kind of its files alone.
  mutating func takeOff(suffix: String) {
    tickerSuffix = Array(suffix.utf8)
    notes.append("the tickers' ending '\(suffix)' was taken off, as Stooq's other files have none")
  }

  /// Gives the role of one column to another, because the first one has no volume but 0.
  mutating func exchange(_ winner: Int, _ loser: Int) {
    notes.removeAll { $0.hasPrefix("'\(names[winner])' is taken") }
    notes.append("'\(names[loser])' is taken for the volume, because '\(names[winner])' is 0 in the first rows")
    (roles[loser], roles[winner]) = (roles[winner], .ignored)
  }

  /// The columns of whose names nothing is known and the caller says nothing.
  var unknown: [Int] {
    roles.indices.filter { roles[$0] == .ignored && !isTold($0) && meaning($0) == nil }
  }

  /// Whether the caller says what a column holds.
  func isTold(_ column: Int) -> Bool { uses[names[column]] != nil }

  /// What the name of a column means by itself; nil if it isn't known.
  func meaning(_ column: Int) -> ColumnNames.Meaning? {
    let bare = prefix.map {
      names[column].hasPrefix($0 + ".") ? String(names[column].dropFirst($0.count + 1)) : names[column]
    }
    return ColumnNames.meaning(of: bare ?? names[column])
  }
}

// A column of prices is never left out in silence.
extension ColumnPlan {
  /// Refuses a file that has an open, a high or a low but nothing for the close, or volumes alone, if a column that isn't known may
  /// hold what is missing.
  ///
  /// - Parameter looks: what the unknown columns look like, as far as that is known.
  func checkNothingIsLeftOut(looks: [Int: ColumnLook], file: String) throws(ImportError) {
    let prices: AttributeSet = [.open, .high, .low]
    let isWithoutClose = !attributes.intersection(prices).isEmpty && !attributes.contains(.close)
    let isVolumeAlone = attributes.isSubset(of: [.volume, .adjustedVolume])
    let missing = AttributeSet([.open, .high, .low, .close]).subtracting(attributes)
    let isWithoutOthers = attributes.contains(.close) && !missing.isEmpty && missing.names.count < 3
    guard isWithoutClose || isVolumeAlone || isWithoutOthers else { return }
    let left = unknown.map { UnknownColumn(name: names[$0], look: looks[$0]) }.filter { column in
      isWithoutOthers ? column.look?.kind == .prices : column.look?.isNumber ?? true
    }
    if left.isEmpty { return }
    throw .missingPrices(
      file: file, found: attributes.names, missing: isWithoutClose ? [.close] : missing.names, unknown: left)
  }
}
