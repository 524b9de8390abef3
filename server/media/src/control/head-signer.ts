import type { KeyObject } from 'node:crypto'
import type { Db } from '@sightline/platform/db'
import type { Logger } from '@sightline/platform/log'
import { getKeyId } from '@sightline/platform/signed-line'
import {
  type ChainHead,
  compareHeads,
  isOlderHead,
  listBrokenHeads,
  readHead,
  readHeadFile,
  type SignedHead,
  setHeadAside,
  signHead,
  streamFolder,
  writeHeadFile,
} from '../recording/index.ts'
import { findHead, saveHead } from './head-store.ts'

export interface HeadSignerDeps {
  /** Under the role `sealer`, which no worker has. */
  readonly db: Db
  readonly store: string
  /** Ed25519, private. */
  readonly signingKey: KeyObject
  /** The public keys of all signatures that this installation made. */
  readonly publicKeys: readonly KeyObject[]
  readonly log: Logger
  readonly now: () => number
}

/** Signs the heads of chains, one after the other, and keeps them beside the footage and in the database. */
export interface HeadSigner extends AsyncDisposable {
  /** Never waits. Of several heads of one stream the last one counts. */
  sign(heads: readonly ChainHead[]): void
  /** A sentence for each stream whose list of footage was changed. */
  problems(): readonly string[]
}

/** A stop has ten seconds for everything. */
const LAST_MS = 3000

interface Known {
  readonly head: SignedHead
  /** Whether the database has it. */
  readonly isSaved: boolean
}

const nameOf = ({ accountId, cameraId, stream }: ChainHead): string => `${accountId}/${cameraId}/${stream}`

export function headSigner(deps: HeadSignerDeps): HeadSigner {
  const { log } = deps
  const waiting = new Map<string, ChainHead>()
  const known = new Map<string, Known>()
  const problems = new Map<string, string>()
  let working: Promise<void> | undefined
  const keep = { ...deps, known, problems }

  const signWaiting = async (): Promise<void> => {
    let isDatabaseAway = false
    // A head that can't be signed now is tried again with the next ones.
    const late: [string, ChainHead][] = []
    for (let [next] = waiting; next !== undefined; [next] = waiting) {
      const [name, head] = next
      waiting.delete(name)
      const outcome: SigningOutcome = await signOne(head, keep, isDatabaseAway).catch((err: unknown) => {
        log.error({ err, stream: name }, 'could not sign the list of footage')
        return 'failed'
      })
      if (outcome !== 'done') late.push(next)
      isDatabaseAway ||= outcome === 'unsaved'
    }
    for (const [name, head] of late) if (!waiting.has(name)) waiting.set(name, head)
  }
  return {
    sign(heads) {
      for (const head of heads) waiting.set(nameOf(head), head)
      working ??= signWaiting().finally(() => (working = undefined))
    },
    problems: () => [...problems.values()],
    async [Symbol.asyncDispose]() {
      const patience = new Promise<void>((resolve) => setTimeout(resolve, LAST_MS).unref())
      const finish = async () => {
        await working
        if (waiting.size > 0) await signWaiting()
      }
      await Promise.race([finish(), patience])
    },
  }
}

interface Keeping extends HeadSignerDeps {
  readonly known: Map<string, Known>
  readonly problems: Map<string, string>
}

/** `unsaved`: the database has to get it later. */
type SigningOutcome = 'done' | 'unsaved' | 'failed'

async function signOne(head: ChainHead, keep: Keeping, isDatabaseAway: boolean): Promise<SigningOutcome> {
  const name = nameOf(head)
  const folder = streamFolder(keep.store, head)
  const before = keep.known.get(name) ?? (await loadNewest(head, keep, isDatabaseAway))
  const descent = await compareHeads(folder, before?.head, head)
  // Of a worker that was late, or of footage that was erased meanwhile.
  if (descent === 'absent' || descent === 'older') return 'done'
  if (descent === 'same' && before !== undefined) return await save(name, before, keep, isDatabaseAway)
  if (descent === 'broken' && before !== undefined) await reportBroken(before.head, keep)
  const line = signHead(head, keep.now(), keep.signingKey)
  const signed = readHead(line)
  if (signed === undefined || !(await writeHeadFile(folder, line))) return 'done'
  return await save(name, { head: signed, isSaved: false }, keep, isDatabaseAway)
}

async function save(
  name: string,
  signed: Known,
  { db, known, log }: Keeping,
  isDatabaseAway: boolean,
): Promise<SigningOutcome> {
  known.set(name, signed)
  if (signed.isSaved) return 'done'
  if (isDatabaseAway) return 'unsaved'
  try {
    await saveHead(db, signed.head)
    known.set(name, { ...signed, isSaved: true })
    return 'done'
  } catch (err) {
    log.warn({ err }, 'could not save signed heads of footage in the database')
    return 'unsaved'
  }
}

/** The newer one of the file's and the database's; those with other signatures don't count. Rejects without a database. */
async function loadNewest(
  head: ChainHead,
  { db, store, publicKeys }: Keeping,
  isDatabaseAway: boolean,
): Promise<Known | undefined> {
  if (isDatabaseAway) throw new Error('the database is away')
  const ownHead = (line: string | undefined): SignedHead | undefined => {
    const read = line === undefined ? undefined : readHead(line)
    const key = publicKeys.find((one) => getKeyId(one) === read?.keyId)
    return read !== undefined && nameOf(read) === nameOf(head) && key !== undefined && read.isSignedBy(key)
      ? read
      : undefined
  }
  const [inFile, inDatabase] = await Promise.all([readHeadFile(streamFolder(store, head)), findHead(db, head)])
  const [filed, saved] = [ownHead(inFile), ownHead(inDatabase)]
  if (saved !== undefined && (filed === undefined || isOlderHead(filed, saved))) return { head: saved, isSaved: true }
  return filed && { head: filed, isSaved: filed.hash === saved?.hash }
}

/** What was signed isn't there any more: the signature is kept once, and a new chain of signatures begins. */
async function reportBroken(head: SignedHead, { store, log, now, problems }: Keeping): Promise<void> {
  const folder = streamFolder(store, head)
  // Until the new chain is signed, each try finds the same head broken, after a restart too.
  const before = (await listBrokenHeads(folder)).find(({ line }) => line === head.line)
  const path = before?.path ?? (await setHeadAside(folder, head.line, now()))
  const name = nameOf(head)
  const signedAt = new Date(head.at).toISOString()
  problems.set(name, `the list of footage of ${name} no longer has what was signed at ${signedAt}: see ${path}`)
  log.error({ stream: name, signedAt, path }, 'the list of footage was cut off or changed after it was signed')
}
