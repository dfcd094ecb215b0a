// How a predicate is said in SQL. Ours has two values of truth, SQL has three; what is null in SQL is therefore decided at once,
// at each comparison, and above comparisons there is no null any more.
//
//   ours                          SQL                              why
//   a == b                        a IS b                           null == null is true, and null == x false
//   a != b                        a IS NOT b                       null != x is true, also for x of a row
//   a < b, <=, >, >=              COALESCE(a < b, 0)               with null: false
//   a BETWEEN {b, c}              COALESCE(a BETWEEN b AND c, 0)   the same; false too when b > c
//   a IN {b, c}                   COALESCE(a IN (b, c), 0)         of constants; OR a IS NULL for nil, OR a IS b for a path b
//   a CONTAINS b                  COALESCE(instr(a, b) > 0, 0)     instr finds what is empty, as we do
//   a BEGINSWITH b                COALESCE(substr(a, 1, length(b)) = b, 0)
//   a ENDSWITH b                  COALESCE(length(b) = 0 AND a IS NOT NULL OR substr(a, -length(b)) = b, 0)
//   a LIKE 'x?*'                  COALESCE(a LIKE 'x_%' ESCAPE '\', 0), case-sensitive by a pragma
//   NOT p, p AND q, p OR q        the same: p and q are 0 or 1
//   absent                        NULL: predicates do not tell it from null
//   -0.0                          0.0: equal to both
//   a.b through a to-one a        (SELECT b FROM target WHERE id = a): null where a leads nowhere
//   SELF, a reference             the ordinal of the object
//   a string                      its canonical composition: equality and order by bytes are then ours
//
// What remains is in ``Exclusion``.

import EventLog
import Foundation
import Projection

/// Turns predicates, sort orders and groups into statements of SQLite.
struct SQLTranslation {
    let tables: SQLTables
    let ordinal: (ObjectID) -> Int64
    private(set) var bindings: [SQLValue] = []
    private var aliases = 0

    /// What a path leads to: in SQL, and as a column of a model (nil for objects).
    struct Place {
        let sql: String
        let model: Model
        let column: Model.Column?
    }

    init(_ tables: SQLTables, ordinal: @escaping (ObjectID) -> Int64) {
        self.tables = tables
        self.ordinal = ordinal
    }

    mutating func condition(_ filter: Filter, _ model: Model) throws -> String {
        switch filter {
        case .always(let holds): return holds ? "1" : "0"
        case .not(let filter): return "(NOT \(try condition(filter, model)))"
        case .and(let filters):
            return filters.isEmpty ? "1" : "(" + (try filters.map { try condition($0, model) }.joined(separator: " AND ")) + ")"
        case .or(let filters):
            return filters.isEmpty ? "0" : "(" + (try filters.map { try condition($0, model) }.joined(separator: " OR ")) + ")"
        case .comparison(let comparison): return try condition(comparison, model)
        }
    }

    private mutating func condition(_ comparison: Comparison, _ model: Model) throws -> String {
        if comparison.quantifier != nil { throw Exclusion.quantifier }
        if comparison.operator == .matches { throw Exclusion.matches }
        if !comparison.options.isEmpty { throw Exclusion.options }
        let left = try expression(comparison.left, model)
        if comparison.left.isArithmetic || comparison.right.contains(where: \.isArithmetic) {
            try refuseNaN(comparison, model)
        }
        if comparison.operator == .in { return try membership(of: left, in: comparison.right, model) }
        if comparison.operator == .like { return try likeness(comparison, left, model) }
        let right = try comparison.right.map { try expression($0, model) }
        switch comparison.operator {
        case .equal: return "(\(left) IS \(right[0]))"
        case .notEqual: return "(\(left) IS NOT \(right[0]))"
        case .less, .lessOrEqual, .greater, .greaterOrEqual:
            return "COALESCE(\(left) \(comparison.operator.rawValue) \(right[0]), 0)"
        case .between: return "COALESCE(\(left) BETWEEN \(right[0]) AND \(right[1]), 0)"
        default: return try inside(comparison, left, right[0], model)
        }
    }

    /// The tests that look inside strings.
    private mutating func inside(
        _ comparison: Comparison, _ left: String, _ right: String, _ model: Model
    ) throws -> String {
        for operand in [comparison.left] + comparison.right where try !isScalarwise(operand, model) {
            throw Exclusion.clusters
        }
        switch comparison.operator {
        case .contains: return "COALESCE(instr(\(left), \(right)) > 0, 0)"
        case .beginsWith: return "COALESCE(substr(\(left), 1, length(\(right))) = \(right), 0)"
        default:
            return "COALESCE(length(\(right)) = 0 AND \(left) IS NOT NULL OR substr(\(left), -length(\(right))) = \(right), 0)"
        }
    }

    private mutating func membership(of left: String, in list: [Operand], _ model: Model) throws -> String {
        var values: [String] = []
        var tests: [String] = []
        for operand in list {
            switch operand {
            case .constant(.null): tests.append("\(left) IS NULL")
            case .constant: values.append(try expression(operand, model))
            default: tests.append("\(left) IS \(try expression(operand, model))")
            }
        }
        tests.append("COALESCE(\(left) IN (\(values.joined(separator: ", "))), 0)")
        return "(\(tests.joined(separator: " OR ")))"
    }

    private mutating func likeness(_ comparison: Comparison, _ left: String, _ model: Model) throws -> String {
        guard case .constant(let value) = comparison.right[0] else { throw Exclusion.pattern }
        guard case .string(let pattern) = value else { return "0" }
        guard try isScalarwise(comparison.left, model), pattern.isScalarwise else { throw Exclusion.clusters }
        return "COALESCE(\(left) LIKE \(bound(.text(Self.like(pattern)))) ESCAPE '\\', 0)"
    }

    /// A pattern of ours as one of SQLite's.
    static func like(_ pattern: String) -> String {
        var result = ""
        var rest = pattern[...]
        while let character = rest.popFirst() {
            switch character {
            case "?": result += "_"
            case "*": result += "%"
            default:
                let literal = character == "\\" ? rest.popFirst() ?? "\\" : character
                result += (["%", "_", "\\"].contains(literal) ? "\\" : "") + String(literal)
            }
        }
        return result.precomposedStringWithCanonicalMapping
    }

    private mutating func bound(_ value: SQLValue) -> String {
        bindings.append(value)
        return "?\(bindings.count)"
    }
}

// Operands.
extension SQLTranslation {
    mutating func expression(_ operand: Operand, _ model: Model) throws -> String {
        switch operand {
        case .constant(.double(let number)) where number.isNaN: throw Exclusion.nan
        case .constant(let value): return bound(SQLValue(value, ordinal: ordinal))
        case .path(let path): return try place(path, model).sql
        case .arithmetic(let left, let operation, let right):
            return "(\(try expression(left, model)) \(operation.rawValue) \(try expression(right, model)))"
        }
    }

    /// - Parameter table: what the rows are called from which the path starts.
    mutating func place(_ path: PropertyPath, _ model: Model, from table: String = "base") throws -> Place {
        if path.countsObjects { throw Exclusion.count }
        guard let name = path.names.first else { return Place(sql: "\(table).id", model: model, column: nil) }
        if model.collection(name) != nil { throw Exclusion.quantifier }
        let sql = "\(table).\(tables.column(model, name))"
        if let column = model.column(name) {
            if tables.facts(model, name).hasNaN { throw Exclusion.nan }
            return Place(sql: sql, model: model, column: column)
        }
        guard path.names.count > 1, let target = model.reference(name).flatMap({ tables.model($0.target) }) else {
            return Place(sql: sql, model: model, column: nil)
        }
        aliases += 1
        let alias = "a\(aliases)"
        let end = try place(PropertyPath(Array(path.names.dropFirst())), target, from: alias)
        return Place(
            sql: "(SELECT \(end.sql) FROM \(tables.table(target)) \(alias) WHERE \(alias).id = \(sql))", model: end.model,
            column: end.column)
    }

    private mutating func isScalarwise(_ operand: Operand, _ model: Model) throws -> Bool {
        switch operand {
        case .constant(.string(let text)): return text.isScalarwise
        case .path(let path):
            let place = try place(path, model)
            return place.column.map { tables.facts(place.model, $0.name).isScalarwise } ?? true
        default: return true
        }
    }

    /// NaN and a division that SQLite takes for null must not be told from null: beside them only constants may stand, and no
    /// double may be divided by what can be zero.
    private mutating func refuseNaN(_ comparison: Comparison, _ model: Model) throws {
        let operands = [comparison.left] + comparison.right
        guard try operands.contains(where: { try $0.isArithmetic && holdsDoubles($0, model) }) else { return }
        for operand in operands {
            if case .constant(let value) = operand, value != .null { continue }
            guard operand.isArithmetic, operands.count(where: \.isArithmetic) == 1 else { throw Exclusion.division }
        }
        for operand in operands { try refuseDivision(operand, model) }
    }

    private mutating func refuseDivision(_ operand: Operand, _ model: Model) throws {
        guard case .arithmetic(let left, let operation, let right) = operand else { return }
        try refuseDivision(left, model)
        try refuseDivision(right, model)
        guard operation == .divide, try holdsDoubles(operand, model) else { return }
        switch right {
        case .constant(.int(let number)) where number != 0: break
        case .constant(.double(let number)) where number != 0: break
        default: throw Exclusion.division
        }
    }

    /// Whether doubles play a part; products and sums of integers become doubles beyond 64 bits.
    private mutating func holdsDoubles(_ operand: Operand, _ model: Model) throws -> Bool {
        switch operand {
        case .constant(.double): return true
        case .constant: return false
        case .path(let path): return try place(path, model).column?.type == .double
        case .arithmetic(let left, _, let right):
            if left.isArithmetic || right.isArithmetic { return true }
            return try holdsDoubles(left, model) || holdsDoubles(right, model)
        }
    }
}

// Statements.
extension SQLTranslation {
    mutating func count(_ filter: Filter, _ model: Model) throws -> String {
        "SELECT count(*) FROM \(tables.table(model)) base WHERE \(try condition(filter, model))"
    }

    /// The ordinals of the selected rows, in order.
    mutating func rows(_ filter: Filter, _ sort: [SortKey], limit: Int?, offset: Int, _ model: Model) throws -> String {
        let condition = try condition(filter, model)
        var order = ""
        for key in sort {
            if !key.options.isEmpty { throw Exclusion.options }
            order += try place(key.path, model).sql + (key.ascending ? "" : " DESC") + ", "
        }
        return "SELECT base.id FROM \(tables.table(model)) base WHERE \(condition) ORDER BY \(order)base.id"
            + " LIMIT \(limit ?? -1) OFFSET \(offset)"
    }

    /// Keys and figures, ordered by the keys.
    mutating func groups(
        _ filter: Filter, by keys: [PropertyPath], _ aggregates: [Aggregate], _ model: Model
    ) throws -> String {
        let condition = try condition(filter, model)
        var columns = try keys.map { try place($0, model).sql }
        columns += try aggregates.map { try figure($0, model) }
        let places = keys.indices.map { "\($0 + 1)" }.joined(separator: ", ")
        let grouping = keys.isEmpty ? "" : " GROUP BY \(places) ORDER BY \(places)"
        return "SELECT \(columns.joined(separator: ", ")) FROM \(tables.table(model)) base WHERE \(condition)\(grouping)"
    }

    private mutating func figure(_ aggregate: Aggregate, _ model: Model) throws -> String {
        guard let path = aggregate.path else { return "count(*)" }
        let place = try place(path, model)
        switch aggregate.function {
        case .count: return "count(\(place.sql))"
        case .min, .max: return "\(aggregate.function.rawValue)(\(place.sql))"
        case .sum, .avg:
            guard let column = place.column, tables.sumsAreExact(place.model, column.name, base: model) else {
                throw Exclusion.sum
            }
            // Ours is 0 of none.
            return aggregate.function == .sum ? "COALESCE(sum(\(place.sql)), 0)" : "avg(\(place.sql))"
        }
    }
}

extension Operand {
    fileprivate var isArithmetic: Bool {
        if case .arithmetic = self { true } else { false }
    }
}
