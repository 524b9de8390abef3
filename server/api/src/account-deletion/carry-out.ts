import { appendAudit } from '@sightline/platform/audit'
import { type Clock, MS_PER_DAY, MS_PER_MINUTE } from '@sightline/platform/clock'
import type { Db, IdSource, Tx } from '@sightline/platform/db'
import { enqueue, type JobTasks } from '@sightline/platform/jobs'
import type { Logger } from '@sightline/platform/log'
import { ok } from '@sightline/platform/result'
import { type DeletionNotificationDeps, notifyDeletion } from './notify.ts'
import { removeAccount, removeMember } from './removal-store.ts'
import { countAccountContents, type DeletableUser, deletionsAhead, lockDeletableUser, saveReminded } from './store.ts'

export interface DeletionsDeps extends DeletionNotificationDeps {
  /** Under the role `app`. */
  readonly db: Db
  readonly ids: IdSource
  readonly clock: Clock
  readonly log: Logger
}

const LOOK_EVERY_MS = MS_PER_MINUTE
/** How long before the deletion the user is reminded. */
const REMIND_MS = MS_PER_DAY

/**
 * Reminds users of deletions that are a day away and carries out those that are due, each in its own job. The removed
 * rows, the audit log entries, the email and the row of data still to erase are one transaction under the user's lock,
 * so each happens once, even if a process is killed.
 */
export const deletionTasks = (deps: DeletionsDeps): JobTasks => ({
  findDueDeletions: {
    everyMs: LOOK_EVERY_MS,
    async run() {
      await findDue(deps)
      return ok(undefined)
    },
  },
  carryOutDeletion: {
    async run(key) {
      await one(deps, key)
      return ok(undefined)
    },
  },
})

async function findDue({ db, clock }: DeletionsDeps): Promise<void> {
  for (let after: number | undefined = 0; after !== undefined; ) {
    const now = clock.now()
    const found: readonly Key[] = await deletionsAhead(db, { remindTill: now + REMIND_MS, now, after })
    await db.transaction(async (tx) => {
      for (const key of found) {
        await enqueue(tx, { task: 'carryOutDeletion', payload: key, jobKey: String(key.userId) })
      }
    })
    after = found.at(-1)?.userId
  }
}

interface Key {
  readonly accountId: number
  readonly userId: number
  readonly resellerId: number
}

async function one(deps: DeletionsDeps, key: Key): Promise<void> {
  const { db, ids, clock, log } = deps
  const { accountId, userId, resellerId } = key
  const mailId = await ids.next()
  const scope = { organisationId: accountId, userId, logOfResellerId: resellerId }
  const done = await db.inOrganisation(scope, async (tx) => {
    const now = clock.now()
    const person = await lockDeletableUser(tx, key)
    if (person === undefined || person.deletesAt === null) return undefined
    const { deletesAt } = person
    if (deletesAt <= now) {
      await notifyDeletion(tx, { person, news: 'deletionDone', deletesAt, mailId }, deps)
      await remove(tx, { person, now, ids })
      return 'deleted'
    }
    if (deletesAt > now + REMIND_MS || person.remindedAt !== null) return undefined
    await notifyDeletion(tx, { person, news: 'deletionAhead', deletesAt, mailId }, deps)
    await saveReminded(tx, key, now)
    return 'reminded'
  })
  if (done !== undefined) log.info({ accountId, userId, done }, 'processed a requested deletion')
}

async function remove(
  tx: Tx,
  { person, now, ids }: { readonly person: DeletableUser; readonly now: number; readonly ids: IdSource },
): Promise<void> {
  const { accountId, userId, resellerId } = person
  const server = { accountId, userId: null, clientId: 'server' }
  const write = (entry: Parameters<typeof appendAudit>[1]['entry']) =>
    appendAudit(tx, { ids, caller: server, address: '', entry })
  const when = { accountId, removedAt: now, eraseAfter: now }
  if (userId !== accountId) {
    await write({ action: 'personDeleted', target: { kind: 'user', id: userId } })
    return removeMember(tx, { ...when, userId })
  }
  const entry = {
    action: 'accountDeleted',
    target: { kind: 'account', id: accountId },
    before: { requestedAt: person.requestedAt, ...(await countAccountContents(tx, accountId)) },
  }
  await write(entry)
  await write({ ...entry, accountId: resellerId })
  return removeAccount(tx, when)
}
