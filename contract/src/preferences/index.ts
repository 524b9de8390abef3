import * as z from 'zod/mini'
import { route } from '../wire/index.ts'

/** Maximum bytes of a person's preferences as JSON (api.md §4). */
export const MAX_PREFERENCES_BYTES = 16_384

/** What apps remember about a person, such as tours seen or the layout of a grid. The server doesn't interpret it. */
export const preferences = z.record(z.string().check(z.minLength(1), z.maxLength(64)), z.json())
export type Preferences = z.infer<typeof preferences>

const own = { path: 'users/self/preferences', access: 'authenticated' } as const

export const getPreferences = route({
  ...own,
  name: 'getPreferences',
  summary: 'Get the caller’s app preferences',
  method: 'GET',
  support: 'yes',
  reply: preferences,
  errors: [],
})

export const patchPreferences = route({
  ...own,
  name: 'patchPreferences',
  summary: 'Update the caller’s app preferences with a JSON merge patch (RFC 7396): null removes a value; up to 16 KiB',
  method: 'PATCH',
  apiKey: 'no',
  support: 'no',
  body: preferences,
  reply: preferences,
  errors: ['validation'],
})
