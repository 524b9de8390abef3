import * as z from 'zod/mini'
import { dateTime, id, idText, nothing, route } from '../wire/index.ts'

/** What a browser says of itself; null where it says nothing that is known. Anybody may make their browser say anything. */
export const device = z.object({
  browser: z.nullable(z.string()),
  system: z.nullable(z.string()),
  kind: z.nullable(z.enum(['desktop', 'phone', 'tablet', 'tv'])),
})
export type Device = z.infer<typeof device>

/** Where an address is, as far as the operator's database tells. */
export const sessionLocation = z.object({
  /** Of the network of the installation itself, or of none that is reached from outside. */
  isLocal: z.boolean(),
  /** ISO 3166-1 alpha-2. */
  country: z.nullable(z.string()),
  city: z.nullable(z.string()),
})
export type SessionLocation = z.infer<typeof sessionLocation>

/** A browser that is signed in, with every application opened in it, or an application with access of its own. */
export const session = z.object({
  sessionId: id,
  device,
  /** Which application got access last; null where none did since the password was given. */
  clientId: z.nullable(z.string()),
  /** What the operator calls it; null of our own applications. */
  clientName: z.nullable(z.string()),
  address: z.nullable(z.string()),
  place: sessionLocation,
  begunAt: dateTime,
  /** To the minute. */
  lastSeenAt: dateTime,
  /** Is it the one that the call is made in? */
  current: z.boolean(),
})
export type Session = z.infer<typeof session>

const own = { plane: 'auth', access: 'authenticated', callers: 'both', apiKey: 'no', support: 'no' } as const

export const getSessions = route({
  ...own,
  name: 'getSessions',
  summary: 'Where the user is signed in at this moment',
  method: 'GET',
  path: 'users/self/sessions',
  reply: z.array(session),
  list: { key: 'sessionId', sort: ['-lastSeenAt', 'begunAt'], defaultLimit: 'all' },
  errors: [],
})

export const deleteSession = route({
  ...own,
  name: 'deleteSession',
  summary: 'Signs the user out of one browser or application, or of all others than that of the call',
  method: 'DELETE',
  path: 'users/self/sessions/{sessionId}',
  endsAccess: true,
  ids: { 'params.sessionId': 'session' },
  params: z.object({ sessionId: z.union([z.literal('others'), idText]) }),
  reply: nothing,
  status: 204,
  errors: ['notFound'],
})
