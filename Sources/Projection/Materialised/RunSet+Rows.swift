package import EventLog
import Storage

extension RunSet {
    /// The row of an object that counts, to be read without building its record; nil when there is none.
    ///
    /// - Parameter entity: what the object most likely is.
    package func row(of id: ObjectID, likely entity: WireName? = nil) -> RunRow? {
        do throws(StorageError) {
            for member in members.reversed() {
                guard let (row, number) = try member.run.row(of: id, likely: entity) else { continue }
                if !member.superseded.contains(number) { return row }
            }
        } catch {
            note(error)
        }
        return nil
    }
}

extension FoldState {
    /// The row of an object that reads as the columns of a run say, without a look at any other object.
    ///
    /// Nil when it is in memory, irregular or nowhere: then its record tells, if there is one.
    package func runRow(of id: ObjectID, likely entity: WireName? = nil) -> RunRow? {
        guard let base = objects.base as? RunSet, isRegular(id), !objects.isInMemory(id) else { return nil }
        return base.row(of: id, likely: entity)
    }
}
