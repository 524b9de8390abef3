import type { Referent } from '@sightline/contract/wire'
import type { CallPolicy } from './oracle.ts'
import type { Who } from './principals.ts'
import type { World } from './world.ts'

/** Objects by what an id can name. */
export type Ids = Readonly<Record<Referent, number>>

/** One caller before one request. */
export interface RequestScene {
  readonly world: World
  readonly who: Who
  readonly ids: Ids
  /** Letters and digits that nothing else holds. */
  readonly fresh: string
}

export interface GoodRequest {
  readonly query?: Readonly<Record<string, string>>
  readonly body?: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, string>>
  /** Of parameters that are no ids, or of ids that are another text. */
  readonly params?: Readonly<Record<string, string>>
}

/** Everything that the test has to know of a call besides what its route says. */
export interface OperationCase {
  readonly policy: CallPolicy
  /** What a good request holds besides the ids of its path. */
  readonly send?: (scene: RequestScene) => GoodRequest
  /** Other objects than the usual ones: those that may be deleted, say. */
  readonly uses?: (scene: Omit<RequestScene, 'ids' | 'fresh'>) => Partial<Ids>
  /** Statuses besides the route's own that are a good answer to {@link send}, each with the reason. */
  readonly also?: Readonly<Record<number, string>>
  /** An id of a query or body that names nothing of the caller's: filters ignore it, others answer as said here. */
  readonly foreign?: Readonly<Record<string, 'ignored' | 400 | 403 | 404>>
  /** Ids that the caller gives to what is made; they refer to nothing. */
  readonly chosen?: readonly string[]
  /** Of a write that leaves no line in the audit log: why. */
  readonly silent?: string
  /** Why one by a guest of a public demo leaves none. */
  readonly silentOfVisitors?: string
  /** Of a GET: why rows are written. */
  readonly records?: string
  /** The zone has to be the caller's as a whole; seeing a camera in it is not enough. */
  readonly wholeZone?: true
  /** What is wrong with a good answer to that caller, or undefined. */
  readonly wrong?: (who: Who, text: string) => string | undefined
  /** Callers of whom the base request has another verdict than the policy says, with the reason. */
  readonly except?: (scene: RequestScene) => Exception | undefined
  /** Fields of the body beyond the route's own are refused instead of ignored. */
  readonly strictBody?: true
}

export interface Exception {
  readonly verdict: 'forbidden' | 'absent' | 'pass'
  readonly because: string
}
