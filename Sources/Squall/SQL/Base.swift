package import SquallBase

// SquallBase is imported here alone: nothing of it may become part of the library's public declarations. Its types keep their names.

package typealias Identifier = SquallBase.Identifier
package typealias Token = SquallBase.Token
package typealias SQLTokenizer = SquallBase.SQLTokenizer
package typealias StatementEnd = SquallBase.StatementEnd
package typealias StatementFacts = SquallBase.StatementFacts
package typealias StatementVerb = SquallBase.StatementVerb
package typealias CreationFacts = SquallBase.CreationFacts
package typealias PragmaFacts = SquallBase.PragmaFacts
package typealias SavepointAction = SquallBase.SavepointAction

package typealias Locked<Value> = SquallBase.Locked<Value>
package typealias Lock = SquallBase.Lock
package typealias ConditionVariable = SquallBase.ConditionVariable
package typealias Handover<Item> = SquallBase.Handover<Item>
package typealias UncheckedSendable<Value> = SquallBase.UncheckedSendable<Value>
