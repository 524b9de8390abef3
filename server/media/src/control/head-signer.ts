import type { KeyObject } from 'node:crypto'
import type { Db } from '@sightline/platform/db'
import type { Logger } from '@sightline/platform/log'
import { getKeyId } from '@sightline/platform/signed-line'
import { type ChainHead, isOlderHead, readHead, type SignedHead, signHead } from '../recording/index.ts'
import { DiskAway, type HeadDisk, localHeadDisk } from './head-disk.ts'
import { findHead, saveHead } from './head-store.ts'

export interface HeadSignerDeps {
  /** Under the role `sealer`, which no worker has. */
  readonly db: Db
  /** Folder of all footage of this machine. */
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
  /** Never waits. Of several heads of one stream the last one counts. @param disk this machine's unless it is given. */
  sign(heads: readonly ChainHead[], disk?: HeadDisk): void
  /** Resolves when nothing is being signed. */
  settled(): Promise<void>
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

interface WaitingHead {
  readonly head: ChainHead
  readonly disk: HeadDisk
}

const nameOf = ({ accountId, cameraId, stream }: ChainHead): string => `${accountId}/${cameraId}/${stream}`

export function headSigner(deps: HeadSignerDeps): HeadSigner {
  const { log } = deps
  const local = localHeadDisk(deps.store)
  const waiting = new Map<string, WaitingHead>()
  const known = new Map<string, Known>()
  const problems = new Map<string, string>()
  let working: Promise<void> | undefined
  const keep = { ...deps, known, problems }

  const signWaiting = async (): Promise<void> => {
    let isDatabaseAway = false
    // A head that can't be signed now is tried again with the next ones.
    const late: [string, WaitingHead][] = []
    for (let [next] = waiting; next !== undefined; [next] = waiting) {
      const [name, head] = next
      waiting.delete(name)
      const outcome: SigningOutcome = await signOne(head, keep, isDatabaseAway).catch((err: unknown) => {
        // The machine connects again, and reports its heads.
        if (err instanceof DiskAway) return 'done'
        log.error({ err, stream: name }, 'could not sign the list of footage')
        return 'failed'
      })
      if (outcome !== 'done') late.push(next)
      isDatabaseAway ||= outcome === 'unsaved'
    }
    for (const [name, head] of late) if (!waiting.has(name)) waiting.set(name, head)
  }
  return {
    sign(heads, disk = local) {
      for (const head of heads) waiting.set(placeOf(head, disk), { head, disk })
      working ??= signWaiting().finally(() => (working = undefined))
    },
    settled: async () => await working,
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

async function signOne({ head, disk }: WaitingHead, keep: Keeping, isDatabaseAway: boolean): Promise<SigningOutcome> {
  const place = placeOf(head, disk)
  const before = keep.known.get(place) ?? (await loadNewest({ head, disk }, keep, isDatabaseAway))
  const { descent, head: proven } = await disk.examine(before?.head, head)
  // Of a worker that was late, or of footage that was erased meanwhile.
  if (descent === 'absent' || descent === 'older') return 'done'
  if (descent === 'same' && before !== undefined) return await save(disk, before, keep, isDatabaseAway)
  if (descent === 'broken' && before !== undefined) await reportBroken({ head: before.head, disk }, keep)
  const line = signHead(proven, keep.now(), keep.signingKey)
  const signed = readHead(line)
  if (signed === undefined || !(await disk.writeHead(head, line))) return 'done'
  return await save(disk, { head: signed, isSaved: false }, keep, isDatabaseAway)
}

/** Of a stream on a disk. */
const placeOf = (head: ChainHead, { name }: HeadDisk): string => `${name}/${nameOf(head)}`

async function save(
  disk: HeadDisk,
  signed: Known,
  { db, known, log }: Keeping,
  isDatabaseAway: boolean,
): Promise<SigningOutcome> {
  const place = placeOf(signed.head, disk)
  known.set(place, signed)
  if (signed.isSaved) return 'done'
  if (isDatabaseAway) return 'unsaved'
  try {
    await saveHead(db, signed.head, disk.name)
    known.set(place, { ...signed, isSaved: true })
    return 'done'
  } catch (err) {
    log.warn({ err }, 'could not save signed heads of footage in the database')
    return 'unsaved'
  }
}

/** The newer one of the file's and the database's; those with other signatures don't count. Rejects without a database. */
async function loadNewest(
  { head, disk }: WaitingHead,
  { db, publicKeys }: Keeping,
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
  const [inFile, inDatabase] = await Promise.all([disk.readHead(head), findHead(db, head, disk.name)])
  const [filed, saved] = [ownHead(inFile), ownHead(inDatabase)]
  if (saved !== undefined && (filed === undefined || isOlderHead(filed, saved))) return { head: saved, isSaved: true }
  return filed && { head: filed, isSaved: filed.hash === saved?.hash }
}

/** What was signed isn't there any more: the signature is kept once, and a new chain of signatures begins. */
async function reportBroken(
  { head, disk }: { readonly head: SignedHead; readonly disk: HeadDisk },
  { log, now, problems }: Keeping,
): Promise<void> {
  const path = await disk.setAside(head, head.line, now())
  const stream = nameOf(head)
  const signedAt = new Date(head.at).toISOString()
  const where = disk.name === 'disk' ? path : `${path} on the machine ${disk.name}`
  problems.set(
    placeOf(head, disk),
    `the list of footage of ${stream} no longer has what was signed at ${signedAt}: see ${where}`,
  )
  log.error({ stream, signedAt, path: where }, 'the list of footage was cut off or changed after it was signed')
}
