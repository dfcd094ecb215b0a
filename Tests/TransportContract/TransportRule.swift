import Simulation
import Transports

/// The contract of ``ByteChannel``, rule by rule: every adapter passes every one.
package enum TransportRule: String, CaseIterable, Sendable, CustomStringConvertible {
    case bytesArriveWholeAndInOrder
    case aFullChannelTakesNothingAndGoesOn
    case theEndComesAfterAllBytes
    case closingInTheMiddleEndsBoth
    case closingTwiceIsClosing
    case becomesReadyWhenItShould
    case isQuietWhileNothingHappens
    case aPeerThatDiedIsNoticed
    case nothingIsLeftOpen

    package var description: String { rawValue }

    /// Runs the rule on a thread of its own.
    package func check(_ adapter: ContractAdapter) async throws {
        try await blocking {
            switch self {
            case .bytesArriveWholeAndInOrder: try TransferRule.check(adapter)
            case .aFullChannelTakesNothingAndGoesOn: try FullnessRule.check(adapter)
            case .theEndComesAfterAllBytes: try EndingRule.checkOrder(adapter)
            case .closingInTheMiddleEndsBoth: try EndingRule.checkMiddle(adapter)
            case .closingTwiceIsClosing: try EndingRule.checkTwice(adapter)
            case .becomesReadyWhenItShould: try ReadinessRule.checkReady(adapter)
            case .isQuietWhileNothingHappens: try ReadinessRule.checkQuiet(adapter)
            case .aPeerThatDiedIsNoticed: try EndingRule.checkDeath(adapter)
            case .nothingIsLeftOpen: try EndingRule.checkLeftovers(adapter)
            }
        }
    }
}
