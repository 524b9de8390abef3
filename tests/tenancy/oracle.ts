import { MANDATORY_RIGHTS, type MemberPrincipal, type StaffPrincipal, type Who } from './principals.ts'

/**
 * Who may make a call, as specification §6, api.md §2.6 and product.md "Support sessions" say. Written by hand and on
 * purpose without contract/rights: what the server decides by is judged by it.
 */
export interface CallPolicy {
  readonly callers: 'anybody' | 'members' | 'staff' | 'both'
  /** Of a member: the right of that name, or being the account owner. */
  readonly right?: string
  readonly owner?: true
  /** A support session gets the call, an error, a blurred picture, or the call where video is shown. */
  readonly support: 'yes' | 'no' | 'blurred' | 'video'
  /**
   * API keys are kept off: people, rights, passwords, keys, the helpdesk's access (security.md §1); or all that are not
   * switched on for provisioning (api.md §17).
   */
  readonly apiKey?: 'no' | 'provisioning'
  /** Demo users too, though it is no GET: nothing that lasts is changed. */
  readonly harmless?: true
  readonly anyScope?: true
  /** Concerns the own person alone, so that a sub-user may who is kept out of the rest (product.md, decision 25). */
  readonly person?: true
  /** Only takes access away, which the owner of a demonstration may as well: or a dealer could take that from them. */
  readonly ends?: true
  /** Shows people and how they sign in: not to guests of a public demo (decision 0026). */
  readonly visitor?: 'no'
  /** Not of an inactive account. */
  readonly active?: true
  /** Where the brand has the module and the account the flag of self-service (specification §6). */
  readonly selfService?: true
  /** Of staff. */
  readonly permission?: string
  readonly level?: 'distributor' | 'admin'
  /** Of the brand. */
  readonly module?: true
}

export type Verdict = 'token' | 'forbidden' | 'pass'

/** What becomes of the call before any object is looked at. */
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
  if (policy.selfService === true && !who.isSelfServed) return false
  if (policy.owner === true && !who.isOwner) return false
  return supportMay(policy, who) && (policy.right === undefined || hasRight(who, policy.right))
}

/** Decision 20: the agreement comes first, except for the own person and for what an owner takes away from others. */
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

function hasRight(who: MemberPrincipal, right: string): boolean {
  if (MANDATORY_RIGHTS.includes(right)) return true
  // The owner has every right but the one that takes others away.
  return who.isOwner ? right !== 'demoUser' : who.rights.has(right)
}

const LEVELS = ['reseller', 'distributor', 'admin']

function staffMay(policy: CallPolicy, who: StaffPrincipal): boolean {
  if (policy.callers === 'members') return false
  if (policy.level !== undefined && LEVELS.indexOf(who.level) < LEVELS.indexOf(policy.level)) return false
  if (policy.module === true && !who.hasModules) return false
  return policy.permission === undefined || who.permissions.has(policy.permission)
}
