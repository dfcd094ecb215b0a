import Foundation
import Simulation
import Storage
import Synchronization
import TLSTransport
import Testing

@Suite("DeviceIdentity")
struct DeviceIdentityTests {
    @Test("made at first use, the same ever after, and private from the start")
    func firstUse() throws {
        let folder = "/tmp/strandline-\(Digest128.hex(SystemRandom().next()))"
        defer { try? POSIXFileSystem().removeTree(folder) }
        let first = try DeviceIdentity.open(in: folder + "/deep/device")
        #expect(try DeviceIdentity.open(in: folder + "/deep/device").id == first.id)
        #expect(try DeviceIdentity.open(in: folder + "/other").id != first.id)
        let path = folder + "/deep/device/device.key"
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(text.contains("Device: \(first.id)\n"))
    }

    @Test("however many begin at once, all get the same")
    func race() async throws {
        try await blocking {
            let environment = Environment.inMemory()
            let ids = Mutex<[DeviceID]>([])
            let done = WakeSignal()
            for _ in 0..<8 {
                try WorkerThreads.run {
                    let id = try? DeviceIdentity.open(in: "/device", environment: environment).id
                    if let id { ids.withLock { $0.append(id) } }
                    done.advance()
                }
            }
            done.wait(past: 7)
            let found = ids.withLock { $0 }
            #expect(found.count == 8 && Set(found).count == 1)
        }
    }

    @Test("the key is durable before anybody sees the id, whenever the power goes")
    func powerCut() throws {
        let files = SimulatedFileSystem()
        let environment = Environment(
            fileSystem: files, clock: SimulatedClock(), random: SeededRandom(seed: 3), host: Environment.inMemory().host)
        let id = try DeviceIdentity.open(in: "/device", environment: environment).id
        let after = files.crash(keeping: .none)
        let again = Environment(
            fileSystem: after, clock: SimulatedClock(), random: SeededRandom(seed: 4), host: environment.host)
        #expect(try DeviceIdentity.open(in: "/device", environment: again).id == id)
    }

    @Test("a bit of the key file that changed is noticed, wherever it is")
    func damage() throws {
        let environment = Environment.inMemory()
        let id = try DeviceIdentity.open(in: "/device", environment: environment).id
        let bytes = try environment.fileSystem.readWhole("/device/device.key", limit: 4_096)
        let start = try #require(bytes.firstIndex(of: UInt8(ascii: "\n")))
        for index in start + 1..<bytes.count - 1 {
            var damaged = bytes
            damaged[index] ^= 1
            try environment.fileSystem.replace("/device/device.key", with: damaged)
            let outcome = Result { try DeviceIdentity.open(in: "/device", environment: environment).id }
            switch outcome {
            case .success(let other): #expect(other == id, "another device at byte \(index)")
            case .failure(let error):
                let error = try #require(error as? DeviceError)
                #expect(error.code == .damagedKey && error.message.contains("/device/device.key"))
            }
        }
        try environment.fileSystem.replace("/device/device.key", with: [])
        let error = #expect(throws: DeviceError.self) { try DeviceIdentity.open(in: "/device", environment: environment) }
        #expect(error?.code == .damagedKey)
        #expect(try environment.fileSystem.attributes(of: "/device/device.key")?.size == 0, "and it is never replaced")
    }

    @Test("OpenSSL's own program reads the key, and finds the same public key in it")
    func pem() throws {
        guard FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl") else { return }
        let folder = "/tmp/strandline-\(Digest128.hex(SystemRandom().next()))"
        defer { try? POSIXFileSystem().removeTree(folder) }
        let id = try DeviceIdentity.open(in: folder).id
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/openssl")
        process.arguments = ["pkey", "-in", folder + "/device.key", "-pubout", "-outform", "DER", "-out", folder + "/public"]
        try process.run()
        process.waitUntilExit()
        let der = [UInt8](try Data(contentsOf: URL(filePath: folder + "/public")))
        #expect(DeviceID(bytes: SHA256.hash(der.span)) == id)
    }
}
