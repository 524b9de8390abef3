import type { KeyObject } from 'node:crypto'
import { sql } from 'kysely'
import { type EpochMs, MS_PER_MINUTE } from '../clock/index.ts'
import type { Tx } from '../db/index.ts'
import { getKeyId } from '../signed-line/index.ts'
import { lineSha256Hex, type ReadCheckpoint, readCheckpoint } from './checkpoint.ts'
import { readLines } from './checkpoint-file.ts'
import { readBatches } from './cursor.ts'
import type { Findings } from './findings.ts'
import { headVerifier } from './verify-heads.ts'

/** The checkpoint file, with its size before the database was read. */
export interface CheckpointFile {
  readonly path: string
  readonly size: number
}

export interface CheckpointDeps {
  readonly publicKey: KeyObject
  readonly file: CheckpointFile
  /** A copy is older and may lack later checkpoints. */
  readonly isCopy: boolean
  readonly accountId: number | undefined
  /** The first one to verify. */
  readonly fromCheckpoint: number
  readonly now: EpochMs
}

export interface CheckpointCounts {
  readonly inDatabase: number
  readonly inFile: number
  readonly heads: number
  readonly newest: { readonly number: number; readonly at: EpochMs; readonly sha256: string } | undefined
}

/** A line of either source, parsed if it is a checkpoint. */
interface Found {
  readonly number: number
  readonly line: string
  readonly read: ReadCheckpoint | undefined
}

/** What both places have of one number. */
interface Pair {
  readonly stored: Found | undefined
  readonly filed: Found | undefined
}

/**
 * Compares the database and the file, checks signatures and the chain of checkpoints, and looks up each head in the
 * chains.
 */
export async function verifyCheckpoints(tx: Tx, deps: CheckpointDeps, findings: Findings): Promise<CheckpointCounts> {
  const heads = headVerifier(tx, deps.accountId, findings)
  const places = placesComparer(deps, findings)
  let [inDatabase, inFile] = [0, 0]
  let before: Found | undefined
  for await (const pair of pairs(storedCheckpoints(tx, deps), filedCheckpoints(deps, findings))) {
    const { stored, filed } = pair
    if (stored !== undefined) inDatabase += 1
    if (filed !== undefined) inFile += 1
    places.add(pair)
    const found = soundOf(pair, deps.publicKey)
    if (found === undefined) continue
    verifyOne(found, { before, parts: deps, findings })
    if (found.read?.isSignedBy(deps.publicKey)) await heads.add(found.read)
    before = found
  }
  places.finish()
  await heads.finish()
  const newest = before?.read
  return {
    inDatabase,
    inFile,
    heads: heads.count(),
    newest: newest && { number: newest.number, at: newest.at, sha256: lineSha256Hex(newest.line) },
  }
}

async function* storedCheckpoints(tx: Tx, { fromCheckpoint }: CheckpointDeps): AsyncGenerator<Found> {
  const query = sql<{ number: number; line: string }>`
    select number, line from audit_checkpoints where number >= ${sql.lit(fromCheckpoint)} order by number`
  for await (const rows of readBatches(tx, 'audit_stored_checkpoints', query)) {
    for (const { number, line } of rows) yield { number, line, read: readCheckpoint(line) }
  }
}

async function* filedCheckpoints({ file, fromCheckpoint }: CheckpointDeps, findings: Findings): AsyncGenerator<Found> {
  let last = 0
  let lineNumber = 0
  for await (const line of readLines(file.path, file.size)) {
    lineNumber += 1
    const read = readCheckpoint(line)
    if (read === undefined) {
      findings.add({ what: `${file.path}, line ${lineNumber} is not a checkpoint` })
    } else if (read.number <= last) {
      findings.add({ checkpoint: read.number, what: `${file.path}, line ${lineNumber} comes after checkpoint ${last}` })
    } else {
      last = read.number
      if (read.number >= fromCheckpoint) yield { number: read.number, line, read }
    }
  }
}

/** Two rows of numbers that only grow, side by side. */
async function* pairs(stored: AsyncGenerator<Found>, filed: AsyncGenerator<Found>): AsyncGenerator<Pair> {
  const next = async (from: AsyncGenerator<Found>) => (await from.next()).value as Found | undefined
  let [a, b] = [await next(stored), await next(filed)]
  while (a !== undefined || b !== undefined) {
    const number = Math.min(a?.number ?? Number.POSITIVE_INFINITY, b?.number ?? Number.POSITIVE_INFINITY)
    const pair = { stored: a?.number === number ? a : undefined, filed: b?.number === number ? b : undefined }
    yield pair
    if (pair.stored !== undefined) a = await next(stored)
    if (pair.filed !== undefined) b = await next(filed)
  }
}

/** Consecutive numbers that the database has and the file lacks. */
interface Missing {
  readonly first: number
  readonly last: number
  readonly since: EpochMs
}

function placesComparer({ file, isCopy, now }: CheckpointDeps, findings: Findings) {
  let missing: Missing | undefined
  const report = ({ first, last }: Missing) => {
    const which = first === last ? `checkpoint ${first} is` : `checkpoints ${first} to ${last} are`
    findings.add({ what: `${which} in the database but not in ${file.path}` })
  }
  return {
    add({ stored, filed }: Pair): void {
      if (stored !== undefined && filed === undefined) {
        const { number } = stored
        missing = { first: number, since: stored.read?.at ?? 0, ...missing, last: number }
        return
      }
      if (missing !== undefined) report(missing)
      missing = undefined
      if (stored === undefined) {
        findings.add({ checkpoint: filed?.number, what: `it is in ${file.path} but missing from the database` })
      } else if (stored.line !== filed?.line) {
        findings.add({ checkpoint: stored.number, what: `database and ${file.path} differ` })
      }
    },
    finish(): void {
      // The database has each one first, and a copy of the file ends when it was made.
      const isExpected = isCopy || (missing !== undefined && now - missing.since < MS_PER_MINUTE)
      if (missing !== undefined && !isExpected) report(missing)
    },
  }
}

/** Of two that differ, the one with our signature. */
function soundOf({ stored, filed }: Pair, publicKey: KeyObject): Found | undefined {
  const isSound = (found: Found | undefined) => found?.read?.isSignedBy(publicKey) === true
  return [stored, filed].find(isSound) ?? stored ?? filed
}

function verifyOne(
  found: Found,
  given: { readonly before: Found | undefined; readonly parts: CheckpointDeps; readonly findings: Findings },
): void {
  const { before, parts, findings } = given
  const { number: checkpoint, read } = found
  if (read === undefined || read.number !== checkpoint) {
    findings.add({ checkpoint, what: 'the stored value is not a checkpoint with this number' })
    return
  }
  if (!read.isSignedBy(parts.publicKey)) {
    const key = getKeyId(parts.publicKey)
    const whose = read.keyId === key ? 'it was changed' : `it was signed with key ${read.keyId}, not with key ${key}`
    findings.add({ checkpoint, what: `the signature is not valid: ${whose}` })
  }
  if (before === undefined && parts.fromCheckpoint > 1) return
  const expected = (before?.number ?? 0) + 1
  if (checkpoint !== expected) {
    const gone =
      checkpoint - 1 === expected ? `checkpoint ${expected} is` : `checkpoints ${expected} to ${checkpoint - 1} are`
    findings.add({ checkpoint, what: `${gone} missing before it` })
  } else if (read.previous !== lineSha256Hex(before?.line)) {
    findings.add({ checkpoint, what: 'it does not match the previous checkpoint' })
  }
}
