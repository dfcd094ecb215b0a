// An app imports Strandline alone: the words of the model (ObjectID, Value, Filter, …) come with it.
@_exported public import EventLog
@_exported public import Projection
