import * as z from 'zod/mini'
import { dateTime, id, idText, nothing, route } from '../wire/index.ts'

/** The browser's description of itself; null if unknown. It can't be trusted. */
export const device = z.object({
  browser: z.nullable(z.string()),
  system: z.nullable(z.string()),
  kind: z.nullable(z.enum(['desktop', 'phone', 'tablet', 'tv'])),
})
export type Device = z.infer<typeof device>

/** The location of an address, according to the operator's database. */
export const sessionLocation = z.object({
  /** In the network of the installation itself, or in a private one. */
  isLocal: z.boolean(),
  /** ISO 3166-1 alpha-2. */
  country: z.nullable(z.string()),
  city: z.nullable(z.string()),
})
export type SessionLocation = z.infer<typeof sessionLocation>

/** A signed-in browser with all applications opened in it, or an application with its own access. */
export const session = z.object({
  sessionId: id,
  device,
  /** The application that got access last; null if none did since the password was entered. */
  clientId: z.nullable(z.string()),
  /** The operator's name for it; null for our own applications. */
  clientName: z.nullable(z.string()),
  address: z.nullable(z.string()),
  place: sessionLocation,
  begunAt: dateTime,
  /** To the minute. */
  lastSeenAt: dateTime,
  /** Whether it is the session of this call. */
  current: z.boolean(),
})
export type Session = z.infer<typeof session>

const own = { plane: 'auth', access: 'authenticated', callers: 'both', apiKey: 'no', support: 'no' } as const

export const getSessions = route({
  ...own,
  name: 'getSessions',
  summary: 'List where the user is signed in',
  method: 'GET',
  path: 'users/self/sessions',
  reply: z.array(session),
  list: { key: 'sessionId', sort: ['-lastSeenAt', 'begunAt'], defaultLimit: 'all' },
  errors: [],
})

export const deleteSession = route({
  ...own,
  name: 'deleteSession',
  summary: 'Sign the user out of one browser or app, or of all except the current one',
  method: 'DELETE',
  path: 'users/self/sessions/{sessionId}',
  endsAccess: true,
  ids: { 'params.sessionId': 'session' },
  params: z.object({ sessionId: z.union([z.literal('others'), idText]) }),
  reply: nothing,
  status: 204,
  errors: ['notFound'],
})
