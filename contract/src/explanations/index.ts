import * as z from 'zod/mini'
import { searchText } from '../user-details/index.ts'
import { id, idText, route } from '../wire/index.ts'

/**
 * One thing that was looked at (`Step` of the rights), in data for the words of each language: `check` is what was looked
 * at, `subject` what was asked for, `by` the grant that gave it or what is missing, `via` the profile, zone or camera by name.
 */
export const explainedStep = z.object({
  check: z.string(),
  subject: z.string(),
  by: z.string(),
  holds: z.boolean(),
  via: z.nullable(z.object({ kind: z.enum(['profile', 'zone', 'camera']), id, name: z.string() })),
  /** In English, for programs and logs. */
  sentence: z.string(),
})
export type ExplainedStep = z.infer<typeof explainedStep>

/** How a right stands: switched on (perhaps by a profile), the owner's, mandatory; or missing, taken away, not the brand's. */
export const explainedRight = z.object({
  right: z.string(),
  holds: z.boolean(),
  by: z.enum(['owner', 'mandatory', 'switch', 'profile', 'missing', 'module', 'demoUser']),
})

export const explainedCamera = z.object({
  cameraId: id,
  name: z.string(),
  zoneId: id,
  zoneName: z.string(),
  reached: z.boolean(),
  /** The owner's, by all cameras, by the camera itself or by its zone. */
  by: z.enum(['owner', 'all', 'camera', 'zone', 'missing']),
})

/** Whether one call would be allowed, and everything that was looked at up to the first thing that forbids it. */
export const callExplanation = z.object({
  kind: z.literal('call'),
  userId: id,
  operation: z.string(),
  summary: z.string(),
  allowed: z.boolean(),
  steps: z.array(explainedStep),
})
export type CallExplanation = z.infer<typeof callExplanation>

/** Everything that somebody may do, each with the step that decided. */
export const accessExplanation = z.object({
  kind: z.literal('overview'),
  userId: id,
  name: z.string(),
  isSuperUser: z.boolean(),
  blocked: z.boolean(),
  accountStatus: z.enum(['active', 'inactive', 'suspended']),
  userType: z.enum(['regular', 'trial', 'demo']),
  permissionProfile: z.nullable(z.object({ permissionProfileId: id, name: z.string() })),
  rights: z.array(explainedRight),
  operations: z.array(
    z.object({ operation: z.string(), summary: z.string(), allowed: z.boolean(), step: explainedStep }),
  ),
  /** Those that the caller reaches. */
  cameras: z.array(explainedCamera),
})
export type AccessExplanation = z.infer<typeof accessExplanation>

const query = z.object({
  /** The name of a call in this documentation, as `getCamera`; without it everything is explained. */
  operation: z.optional(searchText(64)),
  cameraId: z.optional(idText),
  zoneId: z.optional(idText),
})
const reply = z.discriminatedUnion('kind', [callExplanation, accessExplanation])
const ofObjects = { 'query.cameraId': 'camera', 'query.zoneId': 'zone' } as const

export const explainOwnAccess = route({
  name: 'explainOwnAccess',
  summary: 'Why the signed-in user may or may not make a call, or everything that they may do',
  method: 'GET',
  path: 'users/self/explain',
  access: 'authenticated',
  apiKey: 'no',
  support: 'yes',
  ids: ofObjects,
  query,
  reply,
  errors: ['validation', 'notFound'],
})

export const explainAccess = route({
  name: 'explainAccess',
  summary: 'Why one person of the account may or may not make a call, or everything that they may do',
  method: 'GET',
  path: 'users/{userId}/explain',
  access: 'object',
  right: 'viewUserSettings',
  apiKey: 'no',
  support: 'yes',
  ids: { 'params.userId': 'user', ...ofObjects },
  params: z.object({ userId: idText }),
  query,
  reply,
  errors: ['validation', 'notFound'],
})
