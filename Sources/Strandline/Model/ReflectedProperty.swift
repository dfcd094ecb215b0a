/// A stored property of an entity's struct as reflection shows it.
///
/// Only for the check of schemas at open.
struct ReflectedProperty: Sendable {
    let label: String
    /// Where it lies in the struct, in bytes.
    let offset: Int
    let size: Int

    /// The stored properties of a struct in the order of their declaration.
    ///
    /// Structs are laid out in that order, each property at the next multiple of its alignment.
    static func all(of value: some Any) -> [ReflectedProperty] {
        var end = 0
        return Mirror(reflecting: value).children.map { child in
            let (size, alignment) = layout(child.value)
            let offset = (end + alignment - 1) / alignment * alignment
            end = offset + size
            return ReflectedProperty(label: child.label ?? "", offset: offset, size: size)
        }
    }

    private static func layout(_ value: Any) -> (size: Int, alignment: Int) {
        func open<T>(_: T) -> (size: Int, alignment: Int) { (MemoryLayout<T>.size, MemoryLayout<T>.alignment) }
        return _openExistential(value, do: open)
    }
}
