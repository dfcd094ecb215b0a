/// What the contract does not allow.
package struct ContractBreach: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}
