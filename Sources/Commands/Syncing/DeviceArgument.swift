import TLSTransport

/// A device id, as `strandline device` prints it.
struct DeviceArgument: ArgumentValue {
    static let expectation = "a device id, as 'strandline device' prints it"

    let id: DeviceID

    init?(argument: String) {
        guard let id = try? DeviceID(parsing: argument) else { return nil }
        self.id = id
    }
}
