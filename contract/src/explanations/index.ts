import * as z from 'zod/mini'
import { searchText } from '../user-details/index.ts'
import { id, idText, route } from '../wire/index.ts'

/**
 * One condition that was checked (`Step` of the rights), as data that can be translated: `check` is the condition,
 * `subject` the requested right, `by` the kind of grant or what is missing, `via` the name of the profile, zone or
 * camera.
 */
export const explainedStep = z.object({
  check: z.string(),
  subject: z.string(),
  /** Of a missing right: another right that would be enough too. */
  orSubject: z.optional(z.string()),
  by: z.string(),
  holds: z.boolean(),
  via: z.nullable(z.object({ kind: z.enum(['profile', 'zone', 'camera']), id, name: z.string() })),
  /** In English, for programs and logs. */
  sentence: z.string(),
})
export type ExplainedStep = z.infer<typeof explainedStep>

/**
 * The status of a right: granted (perhaps by a profile), the owner's, mandatory; or missing, removed, not available in
 * the brand.
 */
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
  /** Access as the owner, to all cameras, to the camera itself or through its zone. */
  by: z.enum(['owner', 'all', 'camera', 'zone', 'missing']),
})

/** Whether a call would be allowed, with all conditions up to the first that failed. */
export const callExplanation = z.object({
  kind: z.literal('call'),
  userId: id,
  operation: z.string(),
  summary: z.string(),
  allowed: z.boolean(),
  steps: z.array(explainedStep),
})
export type CallExplanation = z.infer<typeof callExplanation>

/** Everything that a user may do, each with the condition that decided. */
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
  /** The cameras that the caller has access to. */
  cameras: z.array(explainedCamera),
})
export type AccessExplanation = z.infer<typeof accessExplanation>

const query = z.object({
  /** The name of a call in this documentation, such as `getCamera`; without it, everything is explained. */
  operation: z.optional(searchText(64)),
  cameraId: z.optional(idText),
  zoneId: z.optional(idText),
})
const reply = z.discriminatedUnion('kind', [callExplanation, accessExplanation])
const ofObjects = { 'query.cameraId': 'camera', 'query.zoneId': 'zone' } as const

export const explainOwnAccess = route({
  name: 'explainOwnAccess',
  summary: 'Explain why the signed-in user can or can’t make a call, or list everything they can do',
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
  summary: 'Explain why a user of the account can or can’t make a call, or list everything they can do',
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
