import { LOCKDOWN_LINK_HOURS } from '@sightline/contract/lockdown'
import type { ErrorPage } from '@sightline/contract/sign-in-pages'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const WEEK_MS = 7 * 24 * HOUR_MS

/**
 * The actions that a link in an email allows: set the first password or a new one, report a sign-in, answer an email
 * change.
 */
export type ActionLinkKind = 'invitation' | 'reset' | 'lockdown' | 'emailChange'

/** The user has another address (or moved to another account), or every sign-in of the user ended. */
export type LinkEnd = 'newAddress' | 'endOfSignIns'

interface KindRule {
  /** Begins its address; the token follows. */
  readonly path: string
  /** How long it may be used; for a change of address counted from the request. */
  readonly lifeMs: number
  /** What ends it before its time. */
  readonly endedBy: readonly LinkEnd[]
  /** Whether the link works while the user can't sign in. */
  readonly opensWhileBarred: boolean
  /** Whether a newer link replaces it. */
  readonly isOnlyOne: boolean
  /** The page shown once it has expired. */
  readonly over: ErrorPage['kind']
}

const forPassword = {
  path: '/sign-in/password/',
  endedBy: ['newAddress', 'endOfSignIns'],
  opensWhileBarred: false,
  isOnlyOne: true,
  over: 'passwordLink',
} as const

const kindRules: Readonly<Record<ActionLinkKind, KindRule>> = {
  invitation: { ...forPassword, lifeMs: WEEK_MS },
  reset: { ...forPassword, lifeMs: 30 * MINUTE_MS },
  // Survives a change of password or address: an intruder may have changed both.
  lockdown: {
    path: '/sign-in/lockdown/',
    lifeMs: LOCKDOWN_LINK_HOURS * HOUR_MS,
    endedBy: [],
    opensWhileBarred: true,
    isOnlyOne: false,
    over: 'lockdownLink',
  },
  emailChange: {
    path: '/sign-in/email/',
    lifeMs: WEEK_MS,
    endedBy: ['newAddress'],
    opensWhileBarred: false,
    isOnlyOne: true,
    over: 'emailLink',
  },
}

export const actionLinkKinds = Object.keys(kindRules) as readonly ActionLinkKind[]

export const getLinkRule = (kind: ActionLinkKind): KindRule => kindRules[kind]

export const listEndedKinds = (end: LinkEnd): readonly ActionLinkKind[] =>
  actionLinkKinds.filter((kind) => kindRules[kind].endedBy.includes(end))

/** The kind of link at that address, the error for an expired one, and the token; undefined for other addresses. */
export function findLinkPage(
  path: string,
): { readonly kinds: readonly ActionLinkKind[]; readonly over: ErrorPage['kind']; readonly token: string } | undefined {
  const kinds = actionLinkKinds.filter((kind) => path.startsWith(kindRules[kind].path))
  const [first] = kinds
  if (first === undefined) return undefined
  const rule = kindRules[first]
  return { kinds, over: rule.over, token: path.slice(rule.path.length) }
}

/** The state that a link depends on: when it was created, or now. */
export interface LinkPreconditions {
  readonly accountId: number
  readonly emailFolded: string
  /** Of the sign-ins; null before there was a password. */
  readonly generation: number | null
}

/** Whether a link is valid: it hasn't expired and the state that it depends on is unchanged. */
export function opens(
  link: { readonly kind: ActionLinkKind; readonly expiresAt: number; readonly madeOn: LinkPreconditions },
  person: { readonly preconditions: LinkPreconditions; readonly isBlocked: boolean },
  now: number,
): boolean {
  const { endedBy, opensWhileBarred } = kindRules[link.kind]
  const { madeOn } = link
  const is = person.preconditions
  if (link.expiresAt <= now || (person.isBlocked && !opensWhileBarred)) return false
  const hasMoved = madeOn.accountId !== is.accountId || madeOn.emailFolded !== is.emailFolded
  if (hasMoved && endedBy.includes('newAddress')) return false
  return madeOn.generation === is.generation || !endedBy.includes('endOfSignIns')
}
