import type { Clock } from '@sightline/platform/clock'
import type { Db } from '@sightline/platform/db'
import { type AuthUser, findByUserId } from '../people/index.ts'
import { isDemonstration, listDemonstrations, VISIT_ACR } from './demonstrations/index.ts'
import { endOtherSignIn, type FinishDeps } from './finish.ts'
import { getPageContext, type Interaction, type SignInRequest } from './interaction.ts'
import { isDone, resume } from './replies.ts'
import { recordGuestSignIn } from './sign-in-history/index.ts'

export interface GuestAccessDeps extends FinishDeps {
  readonly db: Db
  readonly clock: Clock
}

/** The public demo that the page offers, if the application is one of ours for members. */
export const findDemonstration = ({ among, isOwnApplication }: SignInRequest, { db }: Pick<GuestAccessDeps, 'db'>) =>
  isOwnApplication && among.audience === 'members' ? listDemonstrations(db, among.resellerId) : []

/** The owner of a demonstration that the page may offer; undefined for anything else. */
async function offeredOwner(
  request: SignInRequest,
  { db }: GuestAccessDeps,
  accountId: number,
): Promise<AuthUser | undefined> {
  const { among, isOwnApplication } = request
  if (!isOwnApplication || among.audience !== 'members') return undefined
  if (!(await isDemonstration(db, among.resellerId, accountId))) return undefined
  const owner = await findByUserId(db, accountId)
  return owner?.maySignIn === true && !owner.isStaff ? owner : undefined
}

/**
 * Signs a guest in to a public demo: no identity is proven, so no method is recorded, no email is sent and the device
 * isn't remembered. False if the demo isn't open to guests now.
 */
export async function enterAsGuest(
  request: SignInRequest,
  deps: GuestAccessDeps,
  given: { readonly interaction: Interaction; readonly accountId: number },
): Promise<boolean> {
  const { interaction, accountId } = given
  if (isDone(interaction)) {
    resume(request, interaction)
    return true
  }
  const owner = await offeredOwner(request, deps, accountId)
  if (owner === undefined) return false
  const { req, res, provider, address } = request
  await endOtherSignIn(request, deps, { interaction, person: owner, acr: VISIT_ACR })
  const { clientId } = getPageContext(request, interaction)
  await recordGuestSignIn(owner, { clientId, sender: { address, userAgent: req.headers['user-agent'] } }, deps)
  const login = {
    accountId: String(owner.userId),
    remember: false,
    acr: VISIT_ACR,
    ts: Math.floor(deps.clock.now() / 1000),
    generation: owner.generation,
  }
  await provider.interactionFinished(req, res, { login }, { mergeWithLastSubmission: false })
  return true
}
