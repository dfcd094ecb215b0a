import Foundation

/// Figures as people read them.
package enum Figures {
    /// Three digits: 1.23 M, 456 k, 78.9.
    package static func short(_ value: Double) -> String {
        switch abs(value) {
        case 999_500...: digits(value / 1e6) + " M"
        case 9999.5...: digits(value / 1e3) + " k"
        default: digits(value)
        }
    }

    static func ratio(_ value: Double) -> String { digits(value) + "x" }

    private static func digits(_ value: Double) -> String {
        switch abs(value) {
        case 99.95...: String(format: "%.0f", value)
        case 9.995...: String(format: "%.1f", value)
        default: String(format: "%.2f", value)
        }
    }
}
