/** The signed head of a stream's chain: the content of its file `head` (docs/design/recording-format.md, "Signed heads"). */
import type { KeyObject } from 'node:crypto'
import { getKeyId, readSignedLine, signLine } from '@sightline/platform/signed-line'
import type { ChainHead } from './chain-heads.ts'
import { HOUR_MS, hourText, parseHour } from './segment-name.ts'

export interface SignedHead extends ChainHead {
  /** When it was signed; milliseconds since 1970. */
  readonly at: number
  readonly keyId: string
  readonly line: string
  isSignedBy(publicKey: KeyObject): boolean
}

/** @param at milliseconds since 1970. */
export const signHead = (
  { accountId, cameraId, stream, hour, bytes, hash }: ChainHead,
  at: number,
  key: KeyObject,
): string =>
  signLine(
    {
      head: 1,
      accountId,
      cameraId,
      stream,
      hour: hourText(hour),
      bytes,
      hash,
      at: new Date(at).toISOString(),
      keyId: getKeyId(key),
    },
    key,
  )

const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0
const isHash = (value: unknown): value is string => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value)
const isStream = (value: unknown): value is ChainHead['stream'] => value === 'main' || value === 'sub'

/** Whether a worker named a head: what comes from another process is checked before it becomes part of a path. */
export const isChainHead = ({ accountId, cameraId, stream, hour, bytes, hash }: ChainHead): boolean =>
  [accountId, cameraId, hour, bytes].every(isCount) && isStream(stream) && isHash(hash) && hour * HOUR_MS < MAX_TIME

/** The year 10,000. */
const MAX_TIME = 253_402_300_800_000

/** Undefined if it isn't a signed head. */
export function readHead(line: string): SignedHead | undefined {
  const signed = readSignedLine(line)
  if (signed === undefined || typeof signed.content !== 'object' || signed.content === null) return undefined
  const { head, accountId, cameraId, stream, hour, bytes, hash, at, keyId } = signed.content as Record<string, unknown>
  const [day = '', of = ''] = String(hour).split('/')
  const content = { accountId, cameraId, stream, hour: parseHour(day, of), bytes, hash } as ChainHead
  const signedAt = Date.parse(String(at))
  if (head !== 1 || typeof keyId !== 'string' || Number.isNaN(signedAt) || !isChainHead(content)) return undefined
  return { ...content, at: signedAt, keyId, line, isSignedBy: signed.isSignedBy }
}

/** Of two heads of one chain, whether the first is before the second. */
export const isOlderHead = (a: ChainHead, b: ChainHead): boolean =>
  a.hour < b.hour || (a.hour === b.hour && a.bytes < b.bytes)
