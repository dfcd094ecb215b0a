// An app imports Strandline alone: the words of the model (ObjectID, Value, BlobID, Relationship, …) come with it.
@_exported public import EventLog
