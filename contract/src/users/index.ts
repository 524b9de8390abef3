import * as z from 'zod/mini'
import { modules, userRights } from '../rights/index.ts'
import { checkedText, emailProblem, nameProblem } from '../user-details/index.ts'
import { id, route } from '../wire/index.ts'

export { toMember } from './to-member.ts'

/**
 * A user's identity (specification §3 "Account base"). A super user's accountId equals the userId; for staff it is
 * their organisation.
 */
export const userBase = z.object({
  userId: id,
  accountId: id,
  email: z.string(),
  firstName: z.string(),
  lastName: z.string(),
})
export type UserBase = z.infer<typeof userBase>

export const userBasePatch = z.partial(
  z.object({
    firstName: checkedText((text) => nameProblem('First', text)),
    lastName: checkedText((text) => nameProblem('Last', text)),
    email: checkedText(emailProblem),
    /** The current one; a new email address needs it. */
    password: z.string().check(z.minLength(1, 'Please enter your current password'), z.maxLength(128)),
  }),
)
export type UserBasePatch = z.infer<typeof userBasePatch>

export const getUser = route({
  name: 'getUser',
  summary: 'Get the signed-in user',
  method: 'GET',
  path: 'users/self',
  access: 'authenticated',
  callers: 'both',
  support: 'yes',
  operation: 217,
  reply: userBase,
  errors: [],
})

export const patchUser = route({
  name: 'patchUser',
  summary: 'Update the name or email address of the signed-in user; a new address needs the current password',
  method: 'PATCH',
  path: 'users/self',
  access: 'authenticated',
  apiKey: 'no',
  support: 'no',
  operation: 217,
  body: userBasePatch,
  reply: userBase,
  errors: ['validation', 'duplicate', 'authenticationFailed', 'tooManyRequests'],
})

/** The evaluator's input in addition to identity and rights: `Member` of the rights. */
export const accessContext = z.object({
  accountStatus: z.enum(['active', 'inactive', 'suspended']),
  /** The account's. */
  userType: z.enum(['regular', 'trial', 'demo']),
  /** A guest of a public demo, without an identity. */
  visitor: z.boolean(),
  /** Of the brand. */
  modules,
  /** Of the token; `read` alone changes nothing. */
  scopes: z.array(z.string()),
  /** Null if it isn't a support session. */
  support: z.nullable(z.object({ video: z.enum(['shown', 'hidden']) })),
})
export type AccessContext = z.infer<typeof accessContext>

export const featureFlags = z.object({
  userSelfServiceManagement: z.boolean(),
  preventEditUserDetails: z.boolean(),
  /** The Web App is closed to sub-users of this account (decision 25); they can ask its owner. */
  webAppBarred: z.boolean(),
  /**
   * The brand's subscription agreement comes first: until it is accepted, calls that aren't about the user themselves
   * are refused.
   */
  agreementOwed: z.boolean(),
  standing: accessContext,
})
export type FeatureFlags = z.infer<typeof featureFlags>

export const getFeatureFlags = route({
  name: 'getFeatureFlags',
  summary: 'Get the account’s self-service options and other settings that affect access',
  method: 'GET',
  path: 'users/self/featureFlags',
  access: 'authenticated',
  support: 'yes',
  reply: featureFlags,
  errors: [],
})

export const getOwnRights = route({
  name: 'getOwnRights',
  summary: 'Get all rights of the signed-in user, true if on',
  method: 'GET',
  path: 'users/self/rights',
  access: 'authenticated',
  support: 'yes',
  reply: userRights,
  errors: [],
})
