extension RecordLog {
    /// Notes what a store reports to its app, without the sentence.
    func note(_ report: StoreReport) {
        switch report {
        case .projectionRepaired: note(.projectionRepaired)
        case .snapshotHeld(let duration, let bytes):
            note(.snapshotHeld, .count(.seconds, duration.components.seconds), .bytes(bytes))
        case .propertyRetyped(let entity, let property, _, _): note(.propertyRetyped, .entity(entity), .property(property))
        }
    }
}
