extension Bool: Storable {
    public static var valueType: ValueType { .bool }
    public var storedValue: Value { .bool(self) }
    public init?(storedValue: Value) {
        guard case .bool(let value) = storedValue else { return nil }
        self = value
    }
}

/// Integers are kept as 64 signed bits. A stored number that does not fit the property's type reads as its default.
extension Storable where Self: FixedWidthInteger & SignedInteger {
    public static var valueType: ValueType { .int }
    public var storedValue: Value { .int(Int64(self)) }
    public init?(storedValue: Value) {
        guard case .int(let value) = storedValue else { return nil }
        self.init(exactly: value)
    }
}

extension Storable where Self: FixedWidthInteger & UnsignedInteger {
    public static var valueType: ValueType { .int }
    public var storedValue: Value { .int(Int64(self)) }
    public init?(storedValue: Value) {
        guard case .int(let value) = storedValue else { return nil }
        self.init(exactly: value)
    }
}

extension Int: Storable {}
extension Int8: Storable {}
extension Int16: Storable {}
extension Int32: Storable {}
extension Int64: Storable {}
extension UInt8: Storable {}
extension UInt16: Storable {}
extension UInt32: Storable {}

/// Kept by bit pattern: what is above `Int64.max` round-trips, but sorts and compares as a negative number in queries.
extension UInt64: Storable {
    public var storedValue: Value { .int(Int64(bitPattern: self)) }
    public init?(storedValue: Value) {
        guard case .int(let value) = storedValue else { return nil }
        self.init(bitPattern: value)
    }
}

/// Kept by bit pattern, as `UInt64` is.
extension UInt: Storable {
    public var storedValue: Value { .int(Int64(bitPattern: UInt64(self))) }
    public init?(storedValue: Value) {
        guard case .int(let value) = storedValue else { return nil }
        self.init(UInt64(bitPattern: value))
    }
}

extension Double: Storable {
    public static var valueType: ValueType { .double }
    public var storedValue: Value { .double(self) }
    public init?(storedValue: Value) {
        guard case .double(let value) = storedValue else { return nil }
        self = value
    }
}

/// Kept as a double, which holds every float exactly. A stored double that is no float is rounded to the nearest one.
extension Float: Storable {
    public static var valueType: ValueType { .double }
    public var storedValue: Value { .double(Double(self)) }
    public init?(storedValue: Value) {
        guard case .double(let value) = storedValue else { return nil }
        self.init(value)
    }
}

extension String: Storable {
    public static var valueType: ValueType { .string }
    public var storedValue: Value { .string(self) }
    public init?(storedValue: Value) {
        guard case .string(let value) = storedValue else { return nil }
        self = value
    }
}

/// For values of up to some kilobytes; larger ones are ``Blob``s.
extension Array: Storable where Element == UInt8 {
    public static var valueType: ValueType { .data }
    public var storedValue: Value { .data(self) }
    public init?(storedValue: Value) {
        guard case .data(let value) = storedValue else { return nil }
        self = value
    }
}
