import type { Served } from '@sightline/platform/http'
import { adding } from './adding.ts'
import type { PeopleParts } from './change.ts'
import { changingWhat, changingWho, removing, sendingLinks } from './changing.ts'
import { reading } from './reading.ts'

export type { PeopleParts } from './change.ts'
export { userTypeOf } from './reply.ts'
export { findPerson, type StoredPerson } from './store.ts'

/** The people of an account (api.md §6). */
export const subUsers = (parts: PeopleParts): readonly Served[] => [
  ...reading(parts),
  ...adding(parts),
  ...changingWho(parts),
  ...changingWhat,
  ...sendingLinks,
  ...removing(parts),
]
