import { baseCase, type Entry, type TenancyCase } from './cases.ts'
import { listFields } from './declarations.ts'
import type { FrameReply } from './frame.ts'
import type { WrittenRow } from './journal.ts'
import type { Who } from './principals.ts'
import type { TenancyFinding, TrialFixture } from './trial.ts'
import type { World } from './world.ts'

/** Fields that no caller may set: ownership and privileges. */
function presumptions({ sibling, far, nowhere }: World): Readonly<Record<string, unknown>> {
  const [foreign] = sibling.accounts
  const [id, resellerId, distributorId] = [foreign.accountId, sibling.resellerId, far.distributorId]
  return {
    accountId: id,
    account_id: id,
    userId: id,
    user_id: id,
    ownerId: id,
    resellerId,
    reseller_id: resellerId,
    distributorId,
    organisationId: resellerId,
    organisation_id: resellerId,
    createdBy: id,
    staffId: sibling.staffId,
    supportStaffId: sibling.staffId,
    apiKeyId: nowhere,
    zoneId: foreign.zones.first,
    cameraId: foreign.cameras.first,
    permissionProfileId: foreign.profileId,
    isSuperUser: true,
    isOwner: true,
    superUser: true,
    level: 'admin',
    all_cameras: true,
    allCameras: true,
    allAccounts: true,
    rights: { editUser: true, manageWebhooks: true },
    permissions: { manageUsers: true },
    modules: { whiteLabel: true },
    scopes: ['read', 'write'],
    blocked: true,
    builtin: true,
    status: 'suspended',
    userType: 'demo',
    createdAt: '2001-01-01T00:00:00.000+00:00',
    expiresAt: '2999-01-01T00:00:00.000+00:00',
    clientSecret: 'chosen by the caller',
    maxSubUsers: 100_000,
    scope: 'distributor',
  }
}

/** Whether an entry sends a body to which fields can be added. */
export const takesBody = ({ route, operation }: Entry): boolean =>
  operation.send !== undefined && route.method !== 'GET' && listFields(route.body).length > 0

/**
 * Makes the same call twice, once with all fields that a body must not decide: either it is refused, or it writes exactly
 * the same rows.
 */
export async function presumed(entry: Entry, fixture: TrialFixture, who: Who): Promise<TenancyFinding[]> {
  const { world } = fixture
  const plain = baseCase(entry, world, who)
  const known = new Set(listFields(entry.route.body))
  const more = Object.fromEntries(Object.entries(presumptions(world)).filter(([name]) => !known.has(name)))
  const again = baseCase(entry, world, who)
  const bold = { ...again, call: { ...again.call, body: { ...more, ...(again.call.body as object) } } }
  const wanted = await written(plain, fixture)
  const got = await written(bold, fixture)
  const isRefused = got.answer.status === 400 && got.rows.length === 0
  if (isRefused || wanted.said === got.said) return []
  return [
    {
      operation: entry.title,
      who: who.name,
      target: 'fields that a body must not decide',
      ...firstDifference(wanted.said, got.said),
    },
  ]
}

function firstDifference(wanted: string, got: string): { expected: string; got: string } {
  const at = [...wanted].findIndex((character, index) => got[index] !== character)
  const around = (text: string) => text.slice(Math.max(0, at - 100), at + 100)
  return { expected: around(wanted), got: around(got) }
}

async function written(tenancyCase: TenancyCase, { frame, journal, world }: TrialFixture) {
  const answer: FrameReply = await frame.call(tenancyCase.call)
  const rows = await journal.read()
  await journal.undo()
  return { answer, rows, said: JSON.stringify([answer.status, rows.map((row) => lasting(row, world))]) }
}

/** A row without what differs each time: new ids, times, secrets, and names from this call. */
const lasting = ({ table, before, after }: WrittenRow, { canaries }: World): string =>
  `${table} ${before === null ? 'new' : 'changed'} ${JSON.stringify(after)}`
    .replaceAll(/"\\\\x[0-9a-f]*"/g, '<bytes>')
    .replaceAll(/"\d{4}-\d\d-\d\dT[^"]*"/g, '<time>')
    .replaceAll(/"10\.\d+\.\d+\.\d+"/g, '<address>')
    .replaceAll(/fresh\d+x/g, '<fresh>')
    .replaceAll(/\d{9,16}/g, (id) => (canaries.shownIn(id).length === 0 ? '<new>' : id))
    .replaceAll(/"(position|id)":\d+/g, '')
    .replaceAll(/key-[\w-]+|[\w$+/=-]{32,}/g, '<random>')
