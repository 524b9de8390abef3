import * as z from 'zod/mini'
import type { ExportManifest } from './manifest.ts'
import { fromHex, hasSignature, readSigned, sha256, toBytes, toHex } from './signatures.ts'

/** A line of the list of footage of a camera. Lines of deletions have no content root. */
const listLine = z.object({
  segmentId: z.string(),
  start: z.optional(z.number()),
  end: z.optional(z.number()),
  contentRoot: z.optional(z.string()),
  reason: z.optional(z.string()),
  prev: z.string(),
  hash: z.string(),
})
export type ListLine = z.infer<typeof listLine>

const signedHead = z.object({
  head: z.literal(1),
  accountId: z.number(),
  cameraId: z.number(),
  stream: z.string(),
  hash: z.string(),
  at: z.string(),
  keyId: z.string(),
})

/** A key of the installation with the id that signatures name. */
export interface KnownKey {
  readonly keyId: string
  readonly publicKey: string
  /** Until when it signed; milliseconds since 1970. */
  readonly retiredAt: number | undefined
}

/** What the list in a manifest proves. */
export type ProvenList =
  | { readonly kind: 'proven'; readonly lines: readonly ListLine[]; readonly signedAt: number }
  /** The installation hadn't signed it yet. */
  | { readonly kind: 'unsigned' }
  | { readonly kind: 'broken' }

/** Checks that each line follows the one before it, and that the last is the one that was signed. */
export async function proveList(manifest: ExportManifest, keys: readonly KnownKey[]): Promise<ProvenList> {
  const { list, signedHead: headLine } = manifest
  if (headLine === undefined) return { kind: 'unsigned' }
  const lines: ListLine[] = []
  for (const text of list) {
    const line = await readLine(text)
    if (line === undefined || (lines.length > 0 && lines.at(-1)?.hash !== line.prev)) return { kind: 'broken' }
    lines.push(line)
  }
  const head = signedHead.safeParse(readSigned(headLine)?.content)
  if (!head.success || !isOf(head.data, manifest) || lines.at(-1)?.hash !== head.data.hash) return { kind: 'broken' }
  const key = keys.find(({ keyId }) => keyId === head.data.keyId)
  const signedAt = Date.parse(head.data.at)
  if (key === undefined || !(signedAt <= (key.retiredAt ?? Number.POSITIVE_INFINITY))) return { kind: 'broken' }
  return (await hasSignature(headLine, key.publicKey)) ? { kind: 'proven', lines, signedAt } : { kind: 'broken' }
}

const isOf = (head: z.infer<typeof signedHead>, { accountId, cameraId, stream }: ExportManifest): boolean =>
  head.accountId === accountId && head.cameraId === cameraId && head.stream === stream

/** Undefined if its hash doesn't follow from its text. */
async function readLine(text: string): Promise<ListLine | undefined> {
  const chained = text.lastIndexOf(',"prev":"')
  let content: unknown
  try {
    content = JSON.parse(text)
  } catch {
    return undefined
  }
  const line = listLine.safeParse(content)
  if (!line.success || chained === -1 || !/^[0-9a-f]{64}$/.test(line.data.prev)) return undefined
  const hash = await sha256(fromHex(line.data.prev), toBytes(text.slice(0, chained)))
  return toHex(hash) === line.data.hash ? line.data : undefined
}
