import Strandline

extension ReplicaID: ArgumentValue {
    package static var expectation: String { "an origin's id (32 hexadecimal digits)" }
    package init?(argument: String) { self.init(argument) }
}
