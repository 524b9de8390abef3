import { MANDATORY_RIGHTS, type MemberPrincipal, type StaffPrincipal, type Who } from './principals.ts'

/**
 * Who may make a call, according to specification §6, api.md §2.6 and product.md "Support sessions". Written by hand,
 * without contract/rights, so that it can judge the rules the server decides by.
 */
export interface CallPolicy {
  readonly callers: 'anybody' | 'members' | 'staff' | 'both'
  /** For members: the right of that name, or being the account owner. */
  readonly right?: string
  /** Another right that is needed too. */
  readonly andRight?: string
  /** Another right that is enough too. */
  readonly orRight?: string
  readonly owner?: true
  /** A support session gets the call, an error, a blurred picture, or the call where video is shown. */
  readonly support: 'yes' | 'no' | 'blurred' | 'video'
  /**
   * Closed to API keys: users, rights, passwords, keys, support access (security.md §1); or closed to keys without
   * provisioning (api.md §17).
   */
  readonly apiKey?: 'no' | 'provisioning'
  /** Open to demo users although it is no GET: it changes nothing lasting. */
  readonly harmless?: true
  readonly anyScope?: true
  /** Concerns only the caller, so it is open to a sub-user without access to the Web App (product.md, decision 25). */
  readonly person?: true
  /** Only revokes access. Open to the owner of a demo account too, or a dealer could deny them that. */
  readonly ends?: true
  /** Shows users and their sign-in settings: closed to guests of a public demo (decision 0026). */
  readonly visitor?: 'no'
  /** Closed to inactive accounts. */
  readonly active?: true
  /** Needs the brand's module and the account's self-service flag (specification §6). */
  readonly selfService?: true
  /** For staff. */
  readonly permission?: string
  readonly level?: 'distributor' | 'admin'
  /** Needs the brand's module. */
  readonly module?: true
}

export type Verdict = 'token' | 'forbidden' | 'pass'

/** The verdict before any object is checked. */
export function getVerdict(policy: CallPolicy, method: string, who: Who): Verdict {
  if (policy.callers === 'anybody') return 'pass'
  if (who.dead) return 'token'
  const { is } = who
  if (is.kind === 'nobody') return 'token'
  if (who.isElsewhere === true) return 'forbidden'
  const scope = method === 'GET' ? 'read' : 'write'
  if (policy.anyScope !== true && !who.scopes.includes(scope)) return 'forbidden'
  if (policy.apiKey === 'no' && who.isApiKey) return 'forbidden'
  if (policy.apiKey === 'provisioning' && who.isApiKey && who.isProvisioning !== true) return 'forbidden'
  if (is.kind === 'member' && !who.isApiKey && owesAgreement(policy, is)) return 'forbidden'
  const isAllowed = is.kind === 'member' ? memberMay(policy, method, is) : staffMay(policy, is)
  return isAllowed ? 'pass' : 'forbidden'
}

function memberMay(policy: CallPolicy, method: string, who: MemberPrincipal): boolean {
  if (policy.callers === 'staff') return false
  if (who.isDemo && method !== 'GET' && !isOpenToDemo(policy, who)) return false
  if (who.isGuest && policy.visitor === 'no') return false
  if (who.isWebAppDisabled && policy.person !== true) return false
  if (policy.active === true && who.isInactive) return false
  if (!isSwitchedOn(policy, who)) return false
  if (policy.owner === true && !who.isOwner) return false
  return supportMay(policy, who) && hasOneRight(policy, who)
}

/** By the brand or the account. */
const isSwitchedOn = (policy: CallPolicy, who: MemberPrincipal): boolean =>
  (policy.selfService !== true || who.isSelfServed) && (policy.module !== true || who.hasModules)

/** Decision 20: the agreement comes first, except for calls about the caller and for an owner who revokes access. */
const owesAgreement = (policy: CallPolicy, who: MemberPrincipal): boolean =>
  who.owesAgreement &&
  !who.isDemo &&
  who.support === undefined &&
  policy.person !== true &&
  !(policy.ends === true && who.isOwner)

const isOpenToDemo = (policy: CallPolicy, { isOwner, isGuest }: MemberPrincipal): boolean =>
  policy.harmless === true || (policy.ends === true && isOwner && !isGuest)

function supportMay(policy: CallPolicy, { support }: MemberPrincipal): boolean {
  if (support === undefined) return true
  return policy.support !== 'no' && (policy.support !== 'video' || support.video === 'shown')
}

const hasOneRight = ({ right, orRight, andRight }: CallPolicy, who: MemberPrincipal): boolean =>
  (right === undefined || hasRight(who, right) || (orRight !== undefined && hasRight(who, orRight))) &&
  (andRight === undefined || hasRight(who, andRight))

function hasRight(who: MemberPrincipal, right: string): boolean {
  if (MANDATORY_RIGHTS.includes(right)) return true
  // The owner has every right except demoUser, which blocks changes.
  return who.isOwner ? right !== 'demoUser' : who.rights.has(right)
}

const LEVELS = ['reseller', 'distributor', 'admin']

function staffMay(policy: CallPolicy, who: StaffPrincipal): boolean {
  if (policy.callers === 'members') return false
  if (policy.level !== undefined && LEVELS.indexOf(who.level) < LEVELS.indexOf(policy.level)) return false
  if (policy.module === true && !who.hasModules) return false
  return policy.permission === undefined || who.permissions.has(policy.permission)
}
