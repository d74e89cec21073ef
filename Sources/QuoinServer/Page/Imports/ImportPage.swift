import QuandlService
import Quoin

/// The page that takes files: it shows what each is taken for, and imports them once its reader says so.
struct ImportPage {
  static let routes: [ServerRoute] = [
    Route(
      "importPage", "/imports", "Files to be imported, for a browser", methods: [.get, .post], mediaTypes: [.html],
      answer: .imports { try ImportPage($0, $1, $2).shown() }),
    Route(
      "confirmImport", "/imports/confirm", "Imports files that were shown", methods: [.post], mediaTypes: [.html],
      answer: .imports { try ImportPage($0, $1, $2).imported() }),
  ]

  private struct Content: PageContent {
    static let template = "imports"

    var desk: Desk?
    /// Why there is none.
    var obstacle: String?
    var done: [String] = []
  }

  /// Where files are put down.
  private struct Desk {
    let limits: String
    var upload: Upload?
  }

  /// Files that are looked at, and how they are read.
  private struct Upload {
    let (name, revision): (String, String)
    let fields: [Field]
    let boxes: [Box]
    let modes: [PageChoice]
    var files: [File] = []
    /// What an import would do; nil if it would be refused.
    var preview: String?
  }

  private struct Field {
    let (id, label, example, value): (String, String, String, String)
  }

  private struct Box {
    let (id, label): (String, String)
    let isChecked: Bool
  }

  private let call: StoreCall
  private let question: Question
  private let desk: ImportDesk

  private init(_ call: StoreCall, _ question: Question, _ desk: ImportDesk) {
    (self.call, self.question, self.desk) = (call, question, desk)
  }

  private var store: QuoteStore { call.view.store }

  /// Why nothing can be imported here; nil if something can.
  private var obstacle: String? {
    if !desk.isOpen { return "This server only reads. Started with --allow-import, it takes files from this page." }
    if !store.shards.isEmpty {
      return "This store is sharded, and only a shard is written to: 'quoin import FILE --store SHARD' does it."
    }
    return nil
  }

  private func page() -> Page<Content> {
    var content = Content(obstacle: obstacle)
    if obstacle == nil { content.desk = Desk(limits: limits) }
    return Page("Imports", content, view: .imports, for: call)
  }

  private var limits: String {
    let (size, all) = (ServerLimits.importFileByteCount >> 20, ServerLimits.importByteCount >> 20)
    return
      "Up to \(ServerLimits.importFiles) files of \(size) MB each and \(all) MB together, which are kept for "
      + "\(ServerLimits.keptImportTime.components.seconds / 60) minutes."
  }

  // MARK: - Showing

  private func shown() throws -> ServiceAnswer {
    var page = page()
    guard !question.isRead, obstacle == nil else { return page.answer }
    do throws(Refusal) {
      if question.type.hasPrefix("multipart/") {
        let form = try FilesForm(question.request.body, type: question.type)
        guard !form.files.isEmpty else { throw .wrongParameter("choose a file first") }
        let files = form.files.map { ImportSource.bytes($0.bytes, name: $0.name) }
        try show(desk.keep(files, of: question.owner), ImportWish(form.fields), on: &page)
      } else {
        try show(name, ImportWish(question.form), on: &page)
      }
    } catch { page.refuse(error) }
    return page.answer
  }

  /// The name of the files in a form.
  private var name: String { question.form.last { $0.name == "upload" }?.value ?? "" }

  private func show(_ name: String, _ wish: ImportWish, on page: inout Page<Content>) throws(Refusal) {
    let upload = try desk.upload(name, of: question.owner)
    let revision = desk.change(name, wish)
    var shown = Upload(
      name: name, revision: "\(revision)",
      fields: ImportWish.fields.map { setting, label, example in
        Field(id: setting.rawValue, label: label, example: example, value: wish[setting.rawValue])
      },
      boxes: ImportWish.boxes.map { Box(id: $0.name, label: $0.label, isChecked: !wish[$0.name].isEmpty) },
      modes: ImportWish.modes.map { PageChoice($0.rawValue, $1, chosen: wish[ImportWish.mode]) })
    defer { page.content.desk?.upload = shown }
    let options = try wish.options()
    let files: [ImportExplanation]
    do throws(ImportError) { files = try ImportExplanation.all(of: upload.files, options: options) } catch {
      throw .wrongParameter("\(error)")
    }
    var asked: Set<String> = []
    shown.files = files.map { File($0, wish, asked: &asked) }
    if files.contains(where: { $0.error != nil }) { return }
    do throws(ImportError) {
      let summary = try store.previewImport(of: upload.files, options: options)
      shown.preview = summary.outcome("the store", isPreview: true)
      desk.show(name, revision)
    } catch { throw .wrongParameter("\(error)") }
  }

  // MARK: - Importing

  private func imported() throws -> ServiceAnswer {
    var page = page()
    guard obstacle == nil else { return page.answer }
    do throws(Refusal) {
      let upload = try desk.upload(name, of: question.owner)
      guard upload.isShown, question.form.contains(where: { $0.name == "revision" && $0.value == "\(upload.revision)" })
      else {
        try show(name, upload.wish, on: &page)
        throw .wrongParameter("the files were looked at in another way since; look at the tables again")
      }
      let summary = try imported(upload)
      desk.remove(name)
      page.content.done = [summary.outcome("the store")] + summary.sentences(verb: "Imported")
    } catch { page.refuse(error) }
    return page.answer
  }

  private func imported(_ upload: ImportDesk.Upload) throws(Refusal) -> ImportSummary {
    let options = try upload.wish.options()
    do throws(ImportError) {
      let store: QuoteStore
      do throws(StoreError) { store = try QuoteStore(at: self.store.path, mustExist: true) } catch {
        throw ImportError.store(error)
      }
      return try store.importSources(upload.files, options: options, patience: ServerLimits.queueTime)
    } catch {
      throw Refusal(status: 409, code: "QESx04", message: "\(error)")
    }
  }
}

extension Question {
  /// The session that asks; nil if there is none.
  fileprivate var owner: String? { validSession }
}

/// What a file is taken for.
private struct File {
  struct Table<Row> {
    let rows: [Row]

    /// Nil if it has no rows.
    init?(_ rows: [Row]) {
      if rows.isEmpty { return nil }
      self.rows = rows
    }
  }

  struct Finding {
    let (what, value, reason): (String, String, String)
  }

  struct Column {
    let (column, meaning, reason): (String, String, String)
    /// Its first cells, and what the first of them is read as.
    let (cells, reading): (String, String)
    /// Nil where another file asks for it.
    let another: Meanings?
  }

  /// The meanings that a column can be given.
  struct Meanings {
    let choices: [PageChoice]
  }

  let (file, summary): (String, String)
  let findings: Table<Finding>?
  let columns: Table<Column>?
  let notes: [String]
  let refusal: String?

  /// - Parameter asked: the columns whose meaning can be chosen above.
  init(_ explanation: ImportExplanation, _ wish: ImportWish, asked: inout Set<String>) {
    (file, summary) = (explanation.file, explanation.summary)
    findings = Table(
      explanation.findings.map { Finding(what: $0.subject.rawValue, value: $0.value, reason: $0.reason) })
    columns = Table(
      explanation.columns.map { column in
        Column(
          column: column.name, meaning: column.use.word, reason: column.reason,
          cells: column.cells.map(\.text).joined(separator: "  |  "), reading: column.cells.first?.value ?? "",
          another: asked.insert(column.name).inserted ? Meanings(column.name, wish) : nil)
      })
    notes = explanation.notes.map { "\($0.prefix(1).uppercased())\($0.dropFirst())." }
    refusal = explanation.error.map { "\($0)" }
  }
}

extension File.Meanings {
  fileprivate init(_ column: String, _ wish: ImportWish) {
    let words = ["ticker", "date"] + Attribute.allCases.map(\.wikiName) + ["ignore"]
    let wished = wish.items.filter { $0.name == ImportSetting.map.rawValue }.map(\.value)
    choices = words.map { word in
      let value = "\(column)=\(word)"
      return PageChoice(value, word, chosen: wished.contains(value) ? value : nil)
    }
  }
}

extension ImportExplanation {
  fileprivate var summary: String {
    if rowCount == 0 { return "No good rows." }
    let names = firstTickers.map { "\($0)" }.joined(separator: ", ")
    let more = tickerCount > firstTickers.count ? " and \((tickerCount - firstTickers.count).grouped) more" : ""
    return
      "\(rowCount.of("good row")) of \(names)\(more)\(days.map { ", \($0.lowerBound) to \($0.upperBound)" } ?? "")."
  }
}
