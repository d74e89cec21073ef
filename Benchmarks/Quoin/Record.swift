/// One line of output: what was asked of which engine, what it answered and how long that took. A JSON object.
struct Record {
  let engine: String
  let query: String
  var threads = 1
  let answer: Answer
  /// Milliseconds, one for each run.
  let times: [Double]
  /// Pages that the system had to clear or map for one of the runs, on average.
  var pageFaultCount = 0

  func print() {
    let peak = PeakMemory.bytesBeyondFiles.map { "\($0)" } ?? "null"
    Swift.print(
      "{\"engine\": \"\(engine)\", \"query\": \"\(query)\", \"threads\": \(threads), "
        + "\"answer\": \(answer.json), \"times\": \(times), \"peak_bytes\": \(peak), \"page_faults\": \(pageFaultCount)}"
    )
  }
}
