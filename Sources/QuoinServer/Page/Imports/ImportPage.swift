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

  private func page() -> Page {
    var page = Page("Imports", "imports", view: .imports, for: call)
    page["obstacle"] = obstacle
    page["takesFiles"] = obstacle == nil
    let (size, all) = (ServerLimits.importFileByteCount >> 20, ServerLimits.importByteCount >> 20)
    page["limits"] =
      "Up to \(ServerLimits.importFiles) files of \(size) MB each and \(all) MB together, which are kept for "
      + "\(ServerLimits.keptImportTime.components.seconds / 60) minutes."
    return page
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

  private func show(_ name: String, _ wish: ImportWish, on page: inout Page) throws(Refusal) {
    let upload = try desk.upload(name, of: question.owner)
    let revision = desk.change(name, wish)
    page["upload"] = ["name": name, "revision": "\(revision)"]
    page["fields"] = ImportWish.fields.map { setting, label, example in
      ["id": setting.rawValue, "label": label, "example": example, "value": wish[setting.rawValue]]
    }
    page["boxes"] = ImportWish.boxes.map { ["id": $0.name, "label": $0.label, "isChecked": !wish[$0.name].isEmpty] }
    let options = try wish.options()
    let files: [ImportExplanation]
    do throws(ImportError) { files = try ImportExplanation.all(of: upload.files, options: options) } catch {
      throw .wrongParameter("\(error)")
    }
    var asked: Set<String> = []
    page["files"] = files.map { $0.content(wish, asked: &asked) }
    if files.contains(where: { $0.error != nil }) { return }
    do throws(ImportError) {
      let summary = try store.previewImport(of: upload.files, options: options)
      page["preview"] = [summary.outcome("the store", isPreview: true)]
      page["isReady"] = true
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
      page["done"] = [summary.outcome("the store")] + summary.sentences(verb: "Imported")
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

extension ImportExplanation {
  /// What the template shows of a file.
  ///
  /// - Parameter asked: the columns whose meaning can be chosen above.
  fileprivate func content(_ wish: ImportWish, asked: inout Set<String>) -> [String: Any] {
    var content: [String: Any] = ["file": file, "summary": summary]
    content["findings"] = findings.map {
      ["what": $0.subject.rawValue, "value": $0.value, "reason": $0.reason]
    }
    content["hasFindings"] = !findings.isEmpty
    content["columns"] = columns.map { column in
      var row: [String: Any] = [
        "column": column.name, "meaning": column.use.word, "reason": column.reason,
        "cells": column.cells.map(\.text).joined(separator: "  |  "), "reading": column.cells.first?.value ?? "",
      ]
      if asked.insert(column.name).inserted { (row["hasChoices"], row["choices"]) = (true, choices(of: column, wish)) }
      return row
    }
    content["hasColumns"] = !columns.isEmpty
    content["notes"] = notes.map { "\($0.prefix(1).uppercased())\($0.dropFirst())." }
    if let error { content["refusal"] = "\(error)" }
    return content
  }

  private var summary: String {
    if rowCount == 0 { return "No good rows." }
    let names = firstTickers.map { "\($0)" }.joined(separator: ", ")
    let more = tickerCount > firstTickers.count ? " and \((tickerCount - firstTickers.count).grouped) more" : ""
    return
      "\(rowCount.of("good row")) of \(names)\(more)\(days.map { ", \($0.lowerBound) to \($0.upperBound)" } ?? "")."
  }

  private func choices(of column: Column, _ wish: ImportWish) -> [[String: Any]] {
    let words = ["ticker", "date"] + Attribute.allCases.map(\.wikiName) + ["ignore"]
    let wished = wish.items.filter { $0.name == ImportSetting.map.rawValue }.map(\.value)
    return words.map { word in
      let value = "\(column.name)=\(word)"
      return ["value": value, "word": word, "isChosen": wished.contains(value)]
    }
  }
}
