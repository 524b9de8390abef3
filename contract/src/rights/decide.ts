import type { Module } from './modules.ts'
import { isAtLeast, type Permission, type StaffLevel } from './permissions.ts'
import {
  isDemoUser,
  isGranting,
  type Member,
  mustAgree,
  type Principal,
  type Staff,
  sourceOfRight,
} from './principal.ts'
import type { Right } from './rights.ts'

/** The requirements of a call; every route of the contract has one. */
export interface Rule {
  readonly method: string
  /** `authenticated` calls concern only the caller themselves. */
  readonly access?: 'public' | 'authenticated' | 'tenant' | 'object'
  /** Members of an account, staff, or both. */
  readonly callers: 'members' | 'staff' | 'both'
  /** Required of a member. */
  readonly right?: Right
  /** Enough in place of `right`; the reply or the change may then be less. */
  readonly orRight?: Right
  readonly superUserOnly?: true
  /** What a support session gets: the call, a rejection, a blurred picture, or the call only if video is visible. */
  readonly support: 'yes' | 'no' | 'blurred' | 'video'
  /**
   * Whether API keys can make it: not if it concerns people, their rights and passwords, keys or support access. Some
   * calls need a key for provisioning: accounts and their subscriptions.
   */
  readonly apiKey?: 'no' | 'provisioning'
  readonly changesNothing?: true
  readonly anyScope?: true
  /** Revokes other people's access, which the owner may always do, in a demo account too. */
  readonly endsAccess?: boolean
  /**
   * Returns data about people: how they sign in, what they did and from where. Guests of a public demo can't make it.
   */
  readonly visitor?: 'no'
  /** Not in an inactive account. */
  readonly activeAccountOnly?: true
  /** Required of staff. */
  readonly permission?: Permission
  readonly level?: StaffLevel
  readonly module?: Module
}

/** One condition that was checked, and its result. Explanations consist of these. */
export interface RuleStep {
  readonly check:
    | 'scope'
    | 'caller'
    | 'user'
    | 'account'
    | 'demoUser'
    | 'support'
    | 'apiKey'
    | 'owner'
    | 'right'
    | 'level'
    | 'permission'
    | 'module'
    | 'tree'
    | 'camera'
    | 'zone'
  /** The requested right, permission, scope, module or level. */
  readonly subject: string
  /** A right that would be enough too, if the step failed. */
  readonly orSubject?: string
  /** The kind of grant, or what is missing. */
  readonly by: string
  readonly holds: boolean
}

type Check<Who> = (rule: Rule, who: Who) => RuleStep | undefined

const scopeOf = (rule: Rule): 'read' | 'write' => (rule.method === 'GET' ? 'read' : 'write')

const everybodysChecks: readonly Check<Principal>[] = [
  (rule, who) => {
    if (rule.anyScope) return undefined
    const subject = scopeOf(rule)
    const holds = who.scopes.includes(subject)
    return { check: 'scope', subject, by: holds ? 'token' : 'missing', holds }
  },
  (rule, who) => {
    const subject = rule.callers
    const holds = subject === 'both' || (subject === 'members') === (who.kind === 'member')
    return holds ? undefined : { check: 'caller', subject, by: who.kind, holds }
  },
  (rule, who) => {
    if (who.apiKeyId === undefined) return undefined
    if (rule.apiKey === 'provisioning') {
      const by = who.provisioning ? 'scope' : 'missing'
      return { check: 'apiKey', subject: 'provisioning', by, holds: who.provisioning }
    }
    const holds = rule.apiKey !== 'no'
    return { check: 'apiKey', subject: 'call', by: holds ? 'scope' : 'forbidden', holds }
  },
]

const memberChecks: readonly Check<Member>[] = [
  ...everybodysChecks,
  (rule, who) => {
    if (!rule.activeAccountOnly && who.accountStatus !== 'suspended') return undefined
    return { check: 'account', subject: 'active', by: who.accountStatus, holds: who.accountStatus === 'active' }
  },
  (rule, who) => {
    if (!who.isWebAppDisabled || rule.access === 'authenticated') return undefined
    return { check: 'account', subject: 'subUsers', by: 'barred', holds: false }
  },
  (rule, who) => {
    // Users who haven't accepted can still manage their own data, and revoke access that the owner granted.
    if (!mustAgree(who) || rule.access === 'authenticated' || (rule.endsAccess && who.isSuperUser)) return undefined
    return { check: 'account', subject: 'agreement', by: 'owed', holds: false }
  },
  (rule, who) => {
    if (who.isGuest && rule.visitor) return { check: 'demoUser', subject: 'visit', by: 'visitor', holds: false }
    if (!isDemoUser(who) || rule.method === 'GET' || rule.changesNothing) return undefined
    // A demo account still has an owner; a demo user may be shared by many people.
    if (rule.endsAccess && who.isSuperUser && !who.isGuest && !who.granted.has('demoUser')) return undefined
    return { check: 'demoUser', subject: 'change', by: who.userType === 'demo' ? 'account' : 'switch', holds: false }
  },
  (rule, who) => (who.support === undefined ? undefined : supportStep(rule, who.support.video)),
  (rule, who) => {
    if (!rule.superUserOnly) return undefined
    return { check: 'owner', subject: 'account', by: who.isSuperUser ? 'owner' : 'missing', holds: who.isSuperUser }
  },
  (rule, who) => rightStep(rule, who),
  (rule, who) => moduleStep(rule, who),
]

function rightStep({ right, orRight }: Rule, who: Member): RuleStep | undefined {
  if (right === undefined) return undefined
  const by = sourceOfRight(who, right)
  const holds = isGranting(by)
  if (holds || orRight === undefined) return { check: 'right', subject: right, by, holds }
  const other = sourceOfRight(who, orRight)
  if (isGranting(other)) return { check: 'right', subject: orRight, by: other, holds: true }
  return { check: 'right', subject: right, orSubject: orRight, by, holds: false }
}

const supportStep = (rule: Rule, video: 'shown' | 'hidden'): RuleStep => {
  const needsVideo = rule.support === 'video'
  const holds = rule.support !== 'no' && (!needsVideo || video === 'shown')
  const subject = needsVideo || rule.support === 'blurred' ? 'video' : 'call'
  return { check: 'support', subject, by: rule.support === 'no' ? 'forbidden' : video, holds }
}

const staffChecks: readonly Check<Staff>[] = [
  ...everybodysChecks,
  (rule, who) => {
    if (rule.level === undefined) return undefined
    return { check: 'level', subject: rule.level, by: who.level, holds: isAtLeast(who.level, rule.level) }
  },
  (rule, who) => {
    if (rule.permission === undefined) return undefined
    const holds = who.permissions.has(rule.permission)
    return { check: 'permission', subject: rule.permission, by: holds ? 'profile' : 'missing', holds }
  },
  // Above a reseller, the module of the reseller in the address counts. The handler of the call checks it.
  (rule, who) => (who.level === 'reseller' ? moduleStep(rule, who) : undefined),
]

function moduleStep(rule: Rule, who: Principal): RuleStep | undefined {
  if (rule.module === undefined) return undefined
  const holds = who.modules.has(rule.module)
  return { check: 'module', subject: rule.module, by: holds ? 'brand' : 'missing', holds }
}

function firstDenied<Who>(checks: readonly Check<Who>[], rule: Rule, who: Who): RuleStep | undefined {
  for (const check of checks) {
    const step = check(rule, who)
    if (step?.holds === false) return step
  }
  return undefined
}

/** `getDenyReason` for members only: their apps don't need the rules for staff. */
export const getMemberDenyReason = (rule: Rule, who: Member): RuleStep | undefined =>
  firstDenied(memberChecks, rule, who)

/** What forbids the call, or undefined. Access to the objects that it names is checked separately (access-scope.ts). */
export const getDenyReason = (rule: Rule, who: Principal): RuleStep | undefined =>
  who.kind === 'member' ? getMemberDenyReason(rule, who) : firstDenied(staffChecks, rule, who)

function looked<Who>(checks: readonly Check<Who>[], rule: Rule, who: Who): readonly RuleStep[] {
  const steps: RuleStep[] = []
  for (const check of checks) {
    const step = check(rule, who)
    if (step !== undefined) steps.push(step)
    if (step?.holds === false) break
  }
  return steps
}

/** A blocked user may do nothing, regardless of other rules: their tokens are rejected. */
export const blockedStep: RuleStep = { check: 'user', subject: 'active', by: 'blocked', holds: false }

/** Every step that was checked, up to and including the first one that forbids the call. */
export const listSteps = (rule: Rule, who: Principal): readonly RuleStep[] =>
  who.kind === 'member' ? looked(memberChecks, rule, who) : looked(staffChecks, rule, who)

const accountSentences: Readonly<Record<string, string>> = {
  /**
   * The message for a sub-user whom the account has blocked (decision 25); the Web App shows it instead of its screens.
   */
  subUsers: "sub-users can't use this account right now: contact the account owner",
  agreement: 'accept the subscription agreement first: users/self/agreement',
}

function describeRight({ subject, orSubject, by }: RuleStep): string {
  if (by === 'module') return `the brand does not offer the right ${subject}`
  return `this needs the right ${subject}${orSubject === undefined ? '' : ` or ${orSubject}`}`
}

/** The step as a sentence for programs and logs. Screens have translated texts. */
export function describeStep(step: RuleStep): string {
  const { check, subject, by } = step
  switch (check) {
    case 'scope':
      return `this token lacks the scope ${subject}`
    case 'caller':
      return by === 'staff' ? 'this call is for users of an account' : 'this call is for staff'
    case 'user':
      return `the user is ${by}`
    case 'account':
      return accountSentences[subject] ?? `the account is ${by}`
    case 'demoUser':
      return subject === 'visit' ? 'this is not available in a public demo' : "demo users can't make changes"
    case 'support':
      return subject === 'video'
        ? "the owner doesn't allow support to see video"
        : 'this is not available in support sessions'
    case 'apiKey':
      return subject === 'provisioning'
        ? 'this API key does not have the provisioning scope'
        : 'this is not available to API keys'
    case 'owner':
      return 'only the account owner can do this'
    case 'right':
      return describeRight(step)
    case 'level':
      return `this needs staff at the level ${subject}`
    case 'permission':
      return `this needs the permission ${subject}`
    case 'module':
      return `the brand does not have the module ${subject}`
    case 'tree':
    case 'camera':
    case 'zone':
      return `${check === 'tree' ? 'account' : check} not found, or you don't have access to it`
  }
}
