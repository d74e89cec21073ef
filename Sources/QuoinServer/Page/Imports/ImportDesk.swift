import NIOCore
import NIOPosix
import Quoin
import Synchronization

/// Files that browsers have sent, which wait for their readers' word: in memory, few at a time, and for a short time.
final class ImportDesk: Sendable {
  /// The files of one form.
  struct Upload: Sendable {
    let files: [ImportSource]
    /// The session that sent them; nil if nobody had to sign in.
    let owner: String?
    /// How they are to be read, as their reader has seen it last.
    var wish = ImportWish()
    /// How often that has changed.
    var revision = 0
    /// Whether their reader has seen what an import would do.
    var isShown = false
    var end = ContinuousClock.now + ServerLimits.keptImportTime
  }

  /// Whether the server was started so that it takes files.
  let isOpen: Bool
  private let uploads = Mutex<[String: Upload]>([:])
  let places = StreamSlots(ServerLimits.imports)

  init(isOpen: Bool) { self.isOpen = isOpen }

  /// Keeps files in place of the oldest if there are too many, and returns their name: 128 random bits.
  func keep(_ files: [ImportSource], of owner: String?) -> String {
    let name = (0..<2).map { _ in String(UInt64.random(in: 0 ... .max), radix: 36) }.joined(separator: "-")
    uploads.withLock { uploads in
      uploads = uploads.filter { $0.value.end > .now }
      if uploads.count >= ServerLimits.keptImports, let oldest = uploads.min(by: { $0.value.end < $1.value.end }) {
        uploads[oldest.key] = nil
      }
      uploads[name] = Upload(files: files, owner: owner)
    }
    let time = TimeAmount(ServerLimits.keptImportTime) + .seconds(1)
    NIOSingletons.posixEventLoopGroup.any().scheduleTask(in: time) { [weak self] in
      self?.uploads.withLock { uploads in uploads = uploads.filter { $0.value.end > .now } }
    }
    return name
  }

  /// The files of this name, which then stay longer.
  ///
  /// - Throws: `Refusal` if they are gone, or another session's.
  func upload(_ name: String, of owner: String?) throws(Refusal) -> Upload {
    let found = uploads.withLock { uploads -> Upload? in
      guard let upload = uploads[name], upload.end > .now, upload.owner == owner else { return nil }
      uploads[name]?.end = .now + ServerLimits.keptImportTime
      return upload
    }
    guard let found else {
      throw Refusal(
        status: 404, code: "QECx02",
        message:
          "these files aren't here any more; they are kept for \(ServerLimits.keptImportTime.components.seconds / 60) minutes, so send them again"
      )
    }
    return found
  }

  /// Notes how the files are to be read, and returns the number of that.
  func change(_ name: String, _ wish: ImportWish) -> Int {
    uploads.withLock { uploads in
      guard var upload = uploads.removeValue(forKey: name) else { return 0 }
      upload.revision += 1
      (upload.wish, upload.isShown) = (wish, false)
      uploads[name] = upload
      return upload.revision
    }
  }

  /// Notes that what an import would do is shown.
  func show(_ name: String, _ revision: Int) {
    uploads.withLock { uploads in
      if uploads[name]?.revision == revision { uploads[name]?.isShown = true }
    }
  }

  func remove(_ name: String) { uploads.withLock { $0[name] = nil } }
}

/// What a form says of how files are read.
struct ImportWish: Sendable {
  /// The settings that a text says, each with the label of its field and an example.
  static let fields: [(setting: ImportSetting, label: String, example: String)] = [
    (.ticker, "Ticker of rows that don't name one", "FDX"), (.decimal, "Sign before fractions", ", or ."),
    (.thousands, "Sign that groups digits", ". , ' or a space"), (.dateFormat, "How days are written", "%d.%m.%Y"),
    (.timeZone, "Zone whose days count", "Asia/Tokyo"), (.delimiter, "Sign between cells", "; , | tab or space"),
    (.missing, "Words for a missing value", "-1,-99"), (.skipLines, "Lines before the header", "2"),
  ]
  /// What a box may be checked for.
  static let boxes: [(name: String, label: String)] = [
    ("round-volumes", "Round volumes that have a fraction"),
    ("splits-in-prices", "Store each split ratio as 1, because the prices have the splits already"),
    ("last-wins", "Of two rows of one ticker and day, let the later one count"),
  ]

  /// What may happen to the days that the store has.
  static let modes: [(mode: UpsertMode, words: String)] = [
    (.update, "take the values of the files, missing ones too"),
    (.fill, "take the values of the files, but no missing ones"),
    (.replace, "take whole rows: what the files lack becomes missing"), (.keep, "stay as they are"),
  ]
  static let mode = "mode"

  /// The names and values that the form has, without empty ones.
  private(set) var items: [(name: String, value: String)] = []

  init() {}

  init(_ form: [(name: String, value: String)]) {
    let known =
      Self.fields.map(\.setting.rawValue) + Self.boxes.map(\.name) + [Self.mode, ImportSetting.map.rawValue]
    items = form.filter { known.contains($0.name) && !$0.value.isEmpty }
  }

  subscript(name: String) -> String { items.last { $0.name == name }?.value ?? "" }

  /// The options of the import.
  ///
  /// - Throws: `Refusal` if one of the texts can't be what its field says.
  func options() throws(Refusal) -> ImportOptions {
    var options = ImportOptions(lastRowWins: !self["last-wins"].isEmpty, threads: 1)
    options.roundsVolumes = !self["round-volumes"].isEmpty
    options.splitsAreInPrices = !self["splits-in-prices"].isEmpty
    options.unpackedByteCountMax = ServerLimits.importTextByteCount
    if !self[Self.mode].isEmpty {
      guard let mode = UpsertMode(rawValue: self[Self.mode]) else {
        throw .wrongParameter("'\(self[Self.mode].prefix(60))' is nothing that can happen to the days of the store")
      }
      options.mode = mode
    }
    for (name, value) in items {
      guard let setting = ImportSetting(rawValue: name) else { continue }
      do throws(ImportSetting.Fault) { try setting.set(value, in: &options) } catch {
        let label = Self.fields.first { $0.setting == setting }?.label.lowercased() ?? "column"
        throw .wrongParameter("\(label), '\(value.prefix(60))': \(error)")
      }
    }
    return options
  }
}
