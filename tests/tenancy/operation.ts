import type { Referent } from '@sightline/contract/wire'
import type { CallPolicy } from './oracle.ts'
import type { Who } from './principals.ts'
import type { World } from './world.ts'

/** Ids by the kind of object they refer to. */
export type Ids = Readonly<Record<Referent, number>>

/** One caller about to make one request. */
export interface RequestScene {
  readonly world: World
  readonly who: Who
  readonly ids: Ids
  /** A unique text of letters and digits. */
  readonly fresh: string
}

export interface GoodRequest {
  readonly query?: Readonly<Record<string, string>>
  readonly body?: Readonly<Record<string, unknown>> | readonly unknown[]
  /** A body that isn't JSON; its type is among the headers. */
  readonly text?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Path parameters that are not ids, or ids in another form. */
  readonly params?: Readonly<Record<string, string>>
}

/** What the test has to know about a call beyond its route. */
export interface OperationCase {
  readonly policy: CallPolicy
  /** A valid request's content apart from the path's ids. */
  readonly send?: (scene: RequestScene) => GoodRequest
  /** Objects to use instead of the usual ones, such as ones that can be deleted. */
  readonly uses?: (scene: Omit<RequestScene, 'ids' | 'fresh'>) => Partial<Ids>
  /** Other statuses that are a valid answer to {@link send}, each with the reason. */
  readonly also?: Readonly<Record<number, string>>
  /** The answer to a foreign id in a query or body; filters ignore it by default. */
  readonly foreign?: Readonly<Record<string, 'ignored' | 400 | 403 | 404>>
  /** Ids that the caller chooses for a new object; they refer to nothing. */
  readonly chosen?: readonly string[]
  /** Why a write adds no audit entry. */
  readonly silent?: string
  /** Why a write by a public demo guest adds none. */
  readonly silentOfVisitors?: string
  /** Why a GET writes rows. */
  readonly records?: string
  /** The caller needs the whole zone; a camera in it is not enough. */
  readonly wholeZone?: true
  /** What is wrong with a successful answer to that caller, or undefined. */
  readonly wrong?: (who: Who, text: string) => string | undefined
  /** A verdict on the base request that differs from the policy for some callers, with the reason. */
  readonly except?: (scene: RequestScene) => Exception | undefined
  /** Unknown body fields are refused instead of ignored. */
  readonly strictBody?: true
}

export interface Exception {
  readonly verdict: 'forbidden' | 'absent' | 'pass'
  readonly because: string
}
