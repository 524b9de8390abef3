import type { Served } from '@sightline/platform/http'
import { adding } from './adding.ts'
import type { PeopleDeps } from './change.ts'
import { changingWhat, changingWho, removing, sendingLinks } from './changing.ts'
import { reading } from './reading.ts'

export type { PeopleDeps } from './change.ts'
export { getUserType } from './reply.ts'
export { findPerson, type StoredPerson } from './store.ts'

/** The people of an account (api.md §6). */
export const subUsers = (deps: PeopleDeps): readonly Served[] => [
  ...reading(deps),
  ...adding(deps),
  ...changingWho(deps),
  ...changingWhat,
  ...sendingLinks,
  ...removing(deps),
]
