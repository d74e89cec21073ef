import ArgumentParser
import Quoin

/// What the question may take before it is given up.
package struct LimitOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("Give up after so many seconds of work (default: 3600).", valueName: "count"))
  package var questionSeconds: Double?

  @Option(
    help: ArgumentHelp(
      "Give up rather than hold more than so many megabytes at once (default: three quarters of the memory).",
      valueName: "count"))
  package var questionMegabytes: Int?

  package init() {}

  package func validate() throws {
    if let questionSeconds, !(questionSeconds > 0) {
      throw ValidationError("--question-seconds \(questionSeconds): must be above 0")
    }
    if let questionMegabytes, questionMegabytes < 1 {
      throw ValidationError("--question-megabytes \(questionMegabytes): must be at least 1")
    }
  }

  package var limits: QuestionLimits {
    var limits = QuestionLimits.standard
    if let questionSeconds { limits.seconds = questionSeconds }
    if let questionMegabytes { limits.megabytes = questionMegabytes }
    return limits
  }
}
