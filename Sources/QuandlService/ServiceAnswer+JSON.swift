import Quoin

typealias JSONMember = (name: String, value: JSONValue)

extension ServiceAnswer {
  package init(status: Int = 200, json: JSONValue) {
    self.init(status: status, .json, body: AnswerBody(Array(json.text.utf8)))
  }
}
