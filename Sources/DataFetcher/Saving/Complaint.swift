import Foundation

/// The tutorials' calls that change something don't say whether they did, so a failure is printed.
enum Complaint {
  /// Prints a sentence on standard error.
  static func print(_ sentence: String) {
    FileHandle.standardError.write(Data("DataFetcher: \(sentence)\n".utf8))
  }
}
