import type { ServedRoute } from '@sightline/platform/http'
import { adding } from './adding.ts'
import type { SubUsersDeps } from './change.ts'
import { changingWhat, changingWho, removing, sendingLinks } from './changing.ts'
import { reading } from './reading.ts'

export type { SubUsersDeps } from './change.ts'
export { getUserType } from './reply.ts'
export { findUser, type StoredUser } from './store.ts'

/** The users of an account (api.md §6). */
export const subUsers = (deps: SubUsersDeps): readonly ServedRoute[] => [
  ...reading(deps),
  ...adding(deps),
  ...changingWho(deps),
  ...changingWhat,
  ...sendingLinks,
  ...removing(deps),
]
