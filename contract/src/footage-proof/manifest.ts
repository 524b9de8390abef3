/**
 * The manifest of an exported file of footage: what the installation signs, so that the file can be proved anywhere and without the
 * installation (docs/design/export-format.md).
 */
import * as z from 'zod/mini'
import { clipSound } from './clip-sound.ts'
import { readSigned } from './signatures.ts'

const hash = z.string().check(z.regex(/^[0-9a-f]{64}$/))
const id128 = z.string().check(z.regex(/^[0-9a-f]{32}$/))
const count = z.int().check(z.minimum(0))
/** Milliseconds since 1970. */
const time = z.int()
const span = z.object({ from: time, till: time })

/** A stretch of about a second: one fragment of the file. */
export const exportedPart = z.object({
  /** Its number in its segment. */
  sequence: count,
  /** Decode time and duration in the segment, ticks of 90 kHz. */
  time: count,
  duration: count,
  /** Of its first picture. */
  wallClock: time,
  /** Of the fragment in this file, and their SHA-256. */
  bytes: count,
  sha256: hash,
  /** How many of these bytes, at their end, are added: sound in another format, which the camera didn't send. */
  added: z.optional(count),
  /** Of what the camera sent, with the salt; missing if the recording has none. */
  digest: z.optional(hash),
  salt: z.optional(id128),
  /**
   * Why the file hasn't what the camera sent: its sound was left out, the recording is damaged, or its pictures and sound were re-encoded.
   */
  without: z.optional(z.enum(['sound', 'all', 'original'])),
})
export type ExportedPart = z.infer<typeof exportedPart>

/** The parts that are from one file of the recording, in the order of the exported file. */
export const exportedSegment = z.object({
  segmentId: id128,
  parts: z.array(exportedPart),
  /** How many parts the segment has. */
  ofParts: count,
  /** The hashes that lead from the leaves of these parts to the content root, from left to right. */
  path: z.array(hash),
  /** Which of `list` is its line; missing if it wasn't on the list yet. */
  line: z.optional(count),
})
export type ExportedSegment = z.infer<typeof exportedSegment>

export const exportGap = z.object({ from: time, till: time, cause: z.nullable(z.string()) })
export type ExportGap = z.infer<typeof exportGap>

/** A public key of the installation, as it publishes them. */
const exportKey = z.object({
  /** Ed25519, SPKI (DER), Base64. */
  publicKey: z.string().check(z.maxLength(200)),
  createdAt: z.string(),
  retiredAt: z.optional(z.string()),
})

/** What was drawn into pictures, which were re-encoded for it: nothing in such a file is what the camera sent. */
export const derivedPictures = z.object({
  /** Name of the camera and local time. */
  overlay: z.boolean(),
  watermark: z.optional(z.string().check(z.maxLength(200))),
  /** The brand's logo. */
  logo: z.optional(z.boolean()),
  /** So many times faster than it was recorded. */
  speed: z.optional(count),
})
export type DerivedPictures = z.infer<typeof derivedPictures>

/** What the machine with the footage says of a file. */
export const exportContent = z.object({
  accountId: count,
  cameraId: count,
  stream: z.enum(['main', 'sub']),
  asked: span,
  /** From the first picture in the file to the end of the last. It begins with the key picture before the start that was asked for. */
  held: span,
  gaps: z.array(exportGap),
  sound: clipSound,
  /** What the file begins with: everything before the first part. */
  head: z.object({ bytes: count, sha256: hash }),
  segments: z.array(exportedSegment),
  /** Lines of the camera's list of footage that follow each other, up to the one that was signed. */
  list: z.array(z.string().check(z.maxLength(4096))),
  /** The signed head that names the last of these lines; missing if none of them was signed yet. */
  signedHead: z.optional(z.string().check(z.maxLength(4096))),
  /** Missing if the pictures are what the camera sent. */
  derived: z.optional(derivedPictures),
})
export type ExportContent = z.infer<typeof exportContent>

/** Who exports footage and why; the signer puts it into the manifest. */
export const exportOrder = z.object({
  exportId: z.optional(z.string()),
  cameraName: z.optional(z.string().check(z.maxLength(200))),
  exportedBy: z.string().check(z.maxLength(300)),
  reason: z.optional(z.string().check(z.maxLength(500))),
})
export type ExportOrder = z.infer<typeof exportOrder>

/** A picture of a theme is no longer. */
const MAX_LOGO_TEXT = 65_536

/** What the machine with the footage draws into the pictures. It is sent with the order. */
export const derivedOrder = z.object({
  derived: z.optional(
    z.object({
      /** For name and local time; missing: neither. */
      timeZone: z.optional(z.string().check(z.maxLength(64))),
      watermark: z.optional(z.string().check(z.maxLength(200))),
      /** The brand's logo: a PNG in Base64. */
      logo: z.optional(z.base64().check(z.maxLength(MAX_LOGO_TEXT))),
      /** So many times faster than it was recorded. */
      speed: z.optional(z.int().check(z.gte(2), z.lte(16))),
    }),
  ),
})
export type DerivedOrder = NonNullable<z.infer<typeof derivedOrder>['derived']>

/** What is signed: the footage of which camera, and the hash of what is said of the file. */
export const exportSubject = z.object({
  accountId: count,
  cameraId: count,
  stream: z.enum(['main', 'sub']),
  /** SHA-256 of the content, as text. */
  contentSha256: hash,
})
export type ExportSubject = z.infer<typeof exportSubject>

const exportStatement = z.extend(exportSubject, {
  /** Version of the format. */
  export: z.literal(1),
  software: z.string(),
  ...exportOrder.shape,
  exportedAt: z.string(),
  /** Of the installation: the one that signed this, and those that signed lists of footage before. */
  keys: z.array(exportKey),
  keyId: z.string(),
})
export type ExportStatement = z.infer<typeof exportStatement>

/** A manifest as a whole. */
export interface ExportManifest extends ExportContent, Omit<ExportStatement, 'accountId' | 'cameraId' | 'stream'> {}

/** Undefined if the text isn't a manifest. Who signed it, and whether its content is the one that was signed, isn't known. */
export function readManifest(
  text: string,
): { readonly line: string; readonly content: string; readonly manifest: ExportManifest } | undefined {
  const end = text.indexOf('\n')
  const [line, content] = [text.slice(0, Math.max(end, 0)), text.slice(end + 1)]
  const statement = exportStatement.safeParse(readSigned(line)?.content)
  const read = exportContent.safeParse(parseJson(content))
  if (!statement.success || !read.success || !isSameCamera(statement.data, read.data)) return undefined
  return { line, content, manifest: { ...statement.data, ...read.data } }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const isSameCamera = (statement: ExportStatement, content: ExportContent): boolean =>
  statement.accountId === content.accountId &&
  statement.cameraId === content.cameraId &&
  statement.stream === content.stream

/** The text of a manifest. @param line the signed statement of this content. */
export const manifestText = (line: string, content: string): string => `${line}\n${content}`

/** The extended type of the box at the end of a file that has its manifest: `uuid`, as ISO 14496-12 §11.1 says. */
const MANIFEST_UUID = '53696768746c800580007265636f7264'
const BOX_HEAD = 24
const FOOT = 4
/** Twelve hours of parts have 20 MiB. */
const MAX_MANIFEST_BYTES = 64 * 1024 * 1024

/** The box for the text of a manifest. Its last four bytes are its size again, so that it is found from the end of the file. */
export function encodeManifestBox(manifest: string): Uint8Array {
  const text = new TextEncoder().encode(manifest)
  const box = new Uint8Array(BOX_HEAD + text.length + FOOT)
  const view = new DataView(box.buffer)
  view.setUint32(0, box.length)
  view.setUint32(4, 0x75_75_69_64)
  for (let index = 0; index < 16; index++)
    box[8 + index] = Number.parseInt(MANIFEST_UUID.slice(index * 2, index * 2 + 2), 16)
  box.set(text, BOX_HEAD)
  view.setUint32(box.length - FOOT, box.length)
  return box
}

/** A file, read piece by piece. */
export interface ExportFile {
  readonly bytes: number
  /** Exactly these bytes, both within the file; `till` isn't included. */
  read(from: number, till: number): Promise<Uint8Array<ArrayBuffer>>
}

const toView = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/** The manifest at the end of a file and where its box begins; undefined if there is none. */
export async function findManifest(
  file: ExportFile,
): Promise<{ readonly text: string; readonly begins: number } | undefined> {
  if (file.bytes < BOX_HEAD + FOOT) return undefined
  const size = toView(await file.read(file.bytes - FOOT, file.bytes)).getUint32(0)
  if (size < BOX_HEAD + FOOT || size > Math.min(file.bytes, MAX_MANIFEST_BYTES)) return undefined
  const begins = file.bytes - size
  const box = await file.read(begins, file.bytes)
  const head = [...box.subarray(4, BOX_HEAD)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  if (toView(box).getUint32(0) !== size || head !== `75756964${MANIFEST_UUID}`) return undefined
  return { text: new TextDecoder().decode(box.subarray(BOX_HEAD, size - FOOT)), begins }
}
