/** The files of exports and shares that are done, as every caller asks for them: api.md §14, security.md §6.4, §6.5. */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportDownloads, sharedFiles } from '@sightline/api'
import { EXPORT_PATH } from '@sightline/contract/exports'
import { SHARE_PATH } from '@sightline/contract/shares'
import { type Db, idSource, instant } from '@sightline/platform/db'
import type { TestDatabase } from '@sightline/platform/db-testing'
import { silentLogger } from '@sightline/platform/log'
import { createFindSession, type SessionReader, sessionReader, tokenSha256 } from '@sightline/platform/sessions'
import { type CallPolicy, getVerdict } from './oracle.ts'
import { maySee, type Who } from './principals.ts'
import { listObjects } from './targets.ts'
import type { TenancyFinding } from './trial.ts'
import type { World, WorldAccount } from './world.ts'

const exporting: CallPolicy = {
  callers: 'members',
  right: 'export',
  andRight: 'playback',
  support: 'no',
  visitor: 'no',
}
/** The file of a share for users of the account: anyone who may open the share (a POST) gets it. */
const viewing: CallPolicy = { callers: 'members', right: 'playback', support: 'no', visitor: 'no' }

export const filePaths = [EXPORT_PATH, SHARE_PATH] as const

/** What is in every file. */
const FOOTAGE = Buffer.alloc(1000, 'footage')

/** The file's bytes, or any error. */
type FileOutcome = 'sent' | 'refused'

interface FileAddress {
  readonly path: (typeof filePaths)[number]
  readonly account: WorldAccount
  /** Whose session it is bound to; undefined for a link that is opened without signing in. */
  readonly who: Who | undefined
}

export interface FileDesk extends AsyncDisposable {
  ask(address: FileAddress): Promise<FileOutcome>
}

/** Both handlers of the front, with an address for every session: whether it would have been given one is tested with the calls. */
export async function openFileDesk(
  database: TestDatabase,
  confirm = (sessions: SessionReader): Pick<SessionReader, 'confirm'> => sessions,
): Promise<FileDesk> {
  const owner = database.db('owner').plain
  await owner
    .updateTable('exports')
    .set({ key_sealed: Buffer.from('key') })
    .execute()
  const app = database.db('app')
  const deps = {
    db: app,
    ids: idSource(app),
    sessions: confirm(
      sessionReader({
        find: createFindSession(app.plain),
        now: Date.now,
        agreementVersion: async () => '1',
        maxAgeMs: 0,
      }),
    ),
    encryption: {
      seal: (_: unknown, text: string) => Buffer.from(text),
      open: (_: unknown, bytes: Buffer) => `${bytes}`,
    },
    artefacts: { open: async () => ({ read: sendAll, [Symbol.asyncDispose]: async () => undefined }) },
    log: silentLogger,
    now: Date.now,
  } as unknown as Parameters<typeof exportDownloads>[0]
  const senders = { [EXPORT_PATH]: exportDownloads(deps), [SHARE_PATH]: sharedFiles(deps) }
  const server = createServer((req, res) => {
    const path = (req.url ?? '').split('?', 1)[0] as keyof typeof senders
    senders[path](req, res, '192.0.2.1')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    async ask({ path, account, who }) {
      const ticket = randomUUID()
      const isExport = path === EXPORT_PATH
      await (isExport ? addLink(owner, ticket, { account, who }) : addView(owner, ticket, { account, who }))
      const reply = await fetch(`http://127.0.0.1:${port}${path}?ticket=${ticket}`)
      const bytes = Buffer.from(await reply.arrayBuffer())
      if (reply.status === 200 && bytes.equals(FOOTAGE)) return 'sent'
      if (reply.status < 400 || bytes.includes('footage'.repeat(2)))
        throw new Error(`${path}: ${reply.status} ${bytes}`)
      return 'refused'
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}

async function* sendAll() {
  yield FOOTAGE
}

type Asking = Pick<FileAddress, 'account' | 'who'>
const bound = ({ who }: Asking): Buffer | null => (who === undefined ? null : tokenSha256(who.token ?? ''))
const until = () => instant(Date.now() + 3_600_000)

async function addLink(owner: Db['plain'], ticket: string, asking: Asking): Promise<void> {
  const { accountId, exportId } = asking.account
  const of = { account_id: accountId, export_id: exportId, ticket_sha256: tokenSha256(ticket) }
  const token_sha256 = bound(asking) ?? Buffer.alloc(32)
  await owner
    .insertInto('export_links')
    .values({ ...of, token_sha256, expires_at: until() })
    .execute()
}

async function addView(owner: Db['plain'], ticket: string, asking: Asking): Promise<void> {
  const { accountId, shareId } = asking.account
  const of = { account_id: accountId, share_id: shareId, ticket_sha256: tokenSha256(ticket) }
  const by = { user_id: null, token_sha256: bound(asking), address: '192.0.2.1' }
  const times = { viewed_at: instant(Date.now()), expires_at: until() }
  await owner
    .insertInto('share_views')
    .values({ ...of, ...by, ...times })
    .execute()
}

/** Every caller asks for the file of an export and of a share of the own account and of another one, by an address of their own. */
export async function tryFiles(
  desk: FileDesk,
  world: World,
  everybody: readonly Who[],
): Promise<{ tried: number; findings: TenancyFinding[] }> {
  const accounts = [world.own, world.sibling].flatMap((reseller) => reseller.accounts)
  const findings: TenancyFinding[] = []
  const asked = everybody.flatMap((who) => {
    const own = who.is.kind === 'nobody' ? undefined : who.is.account
    const other = accounts.find(({ accountId }) => accountId !== own?.accountId)
    const ofBoth = [own, other].filter((each) => each !== undefined)
    return ofBoth.flatMap((account) => filePaths.map((path) => ({ path, account, who })))
  })
  for (const { path, account, who } of asked) {
    const expected = isSent(world, { path, account, who }) ? 'sent' : 'refused'
    const got = await desk.ask({ path, account, who })
    const target = `account ${account.accountId}`
    if (got !== expected) findings.push({ operation: path, who: who.name, target, expected, got })
  }
  return { tried: asked.length, findings }
}

function isSent(world: World, { path, account, who }: FileAddress & { readonly who: Who }): boolean {
  const verdict = path === EXPORT_PATH ? getVerdict(exporting, 'GET', who) : getVerdict(viewing, 'POST', who)
  if (who.is.kind !== 'member' || verdict !== 'pass') return false
  const of = path === EXPORT_PATH ? 'export' : 'camera'
  const id = path === EXPORT_PATH ? account.exportId : account.cameras.first
  return listObjects(world, of).some((owned) => owned.id === id && maySee(who, owned))
}
