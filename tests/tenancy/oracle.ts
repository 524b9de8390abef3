import { MANDATORY_RIGHTS, type MemberPrincipal, type StaffPrincipal, type Who } from './principals.ts'

/**
 * Who may make a call, as specification §6, api.md §2.6 and product.md "Support sessions" say. Written by hand and on
 * purpose without contract/rights: what the server decides by is judged by it.
 */
export interface CallPolicy {
  readonly callers: 'anybody' | 'members' | 'staff' | 'both'
  /** Of a member: the right of that name, or being the owner of the account. */
  readonly right?: string
  readonly owner?: true
  /** A support session gets the call, a refusal, a blurred picture, or the call where video is shown. */
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
  /** Tells of people and how they sign in: not to visitors of a public demonstration (decision 0026). */
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
export function getVerdict(law: CallPolicy, method: string, who: Who): Verdict {
  if (law.callers === 'anybody') return 'pass'
  if (who.dead) return 'token'
  const { is } = who
  if (is.kind === 'nobody') return 'token'
  if (who.isElsewhere === true) return 'forbidden'
  const scope = method === 'GET' ? 'read' : 'write'
  if (law.anyScope !== true && !who.scopes.includes(scope)) return 'forbidden'
  if (law.apiKey === 'no' && who.isApiKey) return 'forbidden'
  if (law.apiKey === 'provisioning' && who.isApiKey && who.isProvisioning !== true) return 'forbidden'
  if (is.kind === 'member' && !who.isApiKey && owesAgreement(law, is)) return 'forbidden'
  const isAllowed = is.kind === 'member' ? memberMay(law, method, is) : staffMay(law, is)
  return isAllowed ? 'pass' : 'forbidden'
}

function memberMay(law: CallPolicy, method: string, who: MemberPrincipal): boolean {
  if (law.callers === 'staff') return false
  if (who.isDemo && method !== 'GET' && !isOpenToDemo(law, who)) return false
  if (who.isGuest && law.visitor === 'no') return false
  if (who.isWebAppDisabled && law.person !== true) return false
  if (law.active === true && who.isInactive) return false
  if (law.selfService === true && !who.isSelfServed) return false
  if (law.owner === true && !who.isOwner) return false
  return supportMay(law, who) && (law.right === undefined || hasRight(who, law.right))
}

/** Decision 20: the agreement comes first, except for the own person and for what an owner takes away from others. */
const owesAgreement = (law: CallPolicy, who: MemberPrincipal): boolean =>
  who.owesAgreement &&
  !who.isDemo &&
  who.support === undefined &&
  law.person !== true &&
  !(law.ends === true && who.isOwner)

const isOpenToDemo = (law: CallPolicy, { isOwner, isGuest }: MemberPrincipal): boolean =>
  law.harmless === true || (law.ends === true && isOwner && !isGuest)

function supportMay(law: CallPolicy, { support }: MemberPrincipal): boolean {
  if (support === undefined) return true
  return law.support !== 'no' && (law.support !== 'video' || support.video === 'shown')
}

function hasRight(who: MemberPrincipal, right: string): boolean {
  if (MANDATORY_RIGHTS.includes(right)) return true
  // The owner has every right but the one that takes others away.
  return who.isOwner ? right !== 'demoUser' : who.rights.has(right)
}

const LEVELS = ['reseller', 'distributor', 'admin']

function staffMay(law: CallPolicy, who: StaffPrincipal): boolean {
  if (law.callers === 'members') return false
  if (law.level !== undefined && LEVELS.indexOf(who.level) < LEVELS.indexOf(law.level)) return false
  if (law.module === true && !who.hasModules) return false
  return law.permission === undefined || who.permissions.has(law.permission)
}
