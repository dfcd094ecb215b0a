/// The format of `trusted-devices`: one device per line, its id, milliseconds since 1970, its name; lines with `#` are for people.
enum TrustFile {
    static func text(_ devices: [TrustedDevice]) -> String {
        var text = "# The devices that may sync with this one: id, when it was trusted (milliseconds since 1970), name.\n"
        for device in devices { text += "\(device.id) \(device.addedAt)\(device.name.isEmpty ? "" : " " + device.name)\n" }
        return text
    }

    /// - Throws: ``DeviceError/Code/damagedTrustList`` for the first line that is none: a list of which a part is not understood
    ///   trusts nobody.
    static func read(_ text: String, path: String) throws(DeviceError) -> [TrustedDevice] {
        var devices: [TrustedDevice] = []
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let parts = line.split(separator: " ", maxSplits: 2)
            guard let first = parts.first, !first.hasPrefix("#") else { continue }
            do throws(DeviceError) {
                let id = try DeviceID(parsing: String(first))
                guard parts.count > 1, let addedAt = UInt64(parts[1]) else {
                    throw DeviceError(.badDeviceID, "no time follows the device id")
                }
                devices.append(TrustedDevice(id: id, name: parts.count > 2 ? String(parts[2]) : "", addedAt: addedAt))
            } catch {
                throw DeviceError(
                    .damagedTrustList,
                    "line \(index + 1) of \(path) is no trusted device: \(error.message); mend the line or remove it")
            }
        }
        return devices
    }
}
