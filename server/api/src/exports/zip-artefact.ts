import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { isDerived } from '@sightline/contract/exports'
import type { ClipSound } from '@sightline/contract/footage-proof'
import { toDateTime } from '@sightline/contract/wire'

/** What a ZIP file of an export has besides footage: who, when, why. */
export interface ZipSubject {
  readonly exportId: number
  readonly name: string
  readonly reason: string
  readonly exportedBy: string
  /** Milliseconds since 1970. */
  readonly from: number
  readonly till: number
  readonly now: number
  /** Fingerprint of the key that signs the files. */
  readonly signer: string
  /** Name and time are in the pictures. */
  readonly overlay: boolean
  readonly watermark: string | null
  /** The brand's logo is in them. */
  readonly logo: boolean
  /** So many times faster than recorded. */
  readonly speed: number
}

/** A file of footage in the ZIP file. */
export interface ZipClip {
  readonly cameraId: number
  readonly cameraName: string
  readonly from: number
  readonly till: number
  /** Undefined if it isn't known. */
  readonly sound: ClipSound | undefined
  /** Times without footage, the first of them; there are `allGaps` in all. */
  readonly gaps: readonly { readonly from: number; readonly till: number }[]
  readonly allGaps: number
  readonly chunks: AsyncIterable<Uint8Array>
}

/** What a reader finds about the sound of a file. */
const SOUND_TEXTS: Readonly<Record<ClipSound, string>> = {
  kept: 'as recorded',
  none: 'not recorded',
  encoded:
    'recorded as G.711, which players do not know: it is in the file unchanged, and again as AAC, which players play',
  hidden:
    'in the file as recorded, in a format that players do not know (such as G.711), so that they play none or not all of it',
  replaced: 're-encoded as AAC; what was recorded is not in the file',
  leftOut: 'left out: the exporting person is not allowed to hear it',
}

const soundText = (sound: ClipSound | undefined, speed: number): string => {
  if (sound === undefined) return UNKNOWN_SOUND
  return speed > 1 && sound === 'leftOut' ? 'left out: the video is faster than it was recorded' : SOUND_TEXTS[sound]
}

const UNKNOWN_SOUND = 'not known: the machine with the footage runs an older version'

interface ZippedFile extends Omit<ZipClip, 'chunks'> {
  readonly file: string
  readonly bytes: number
  readonly sha256: string
}

export interface ZipContent {
  readonly subject: ZipSubject
  readonly password: string | undefined
  /** In the order of the file; each is read when the one before it has been written. */
  readonly clips: AsyncIterable<ZipClip>
  /** The page that checks the files without a server; undefined if this server was built without it. */
  readonly checkPage: string | undefined
}

/** WinZip's AES-256 (AE-2), which 7-Zip, WinZip, macOS's and Windows' programs for it, and libarchive read. */
const AES_256 = 3

/**
 * Writes a ZIP file piece by piece: stored, not compressed, because video can't be compressed further; ZIP64, because footage passes
 * 4 GiB. Nothing is kept in memory but one piece. @returns the files of footage in it.
 */
export async function writeZip(
  { subject, password, clips, checkPage }: ZipContent,
  write: (content: Uint8Array) => Promise<void>,
): Promise<readonly ZippedFile[]> {
  // Half a megabyte of code that only exports need, so it loads on demand.
  const { configure, ZipWriter } = await import('@zip.js/zip.js')
  configure({ useWebWorkers: false })
  const secret = password === undefined ? {} : { password, encryptionStrength: AES_256 as 3 }
  const zip = new ZipWriter(new WritableStream<Uint8Array>({ write }), {
    level: 0,
    zip64: true,
    useWebWorkers: false,
    ...secret,
  })
  const files: ZippedFile[] = []
  for await (const { chunks, ...clip } of clips) {
    const file = `${files.length + 1} ${fileName(clip.cameraName)}.mp4`
    const hash = createHash('sha256')
    let bytes = 0
    const read = async function* () {
      for await (const chunk of chunks) {
        hash.update(chunk)
        bytes += chunk.length
        yield chunk
      }
    }
    await zip.add(file, toStream(read()), { lastModDate: new Date(clip.from) })
    files.push({ ...clip, file, bytes, sha256: hash.digest('hex') })
  }
  if (files.length === 0) return files
  const text = contentsText(subject, files, checkPage !== undefined)
  await zip.add('contents.txt', toStream([Buffer.from(text)]))
  if (checkPage !== undefined) await zip.add('footage-check.html', toStream([Buffer.from(checkPage)]))
  await zip.close()
  return files
}

const toStream = (chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): ReadableStream<Uint8Array> =>
  Readable.toWeb(Readable.from(chunks, { objectMode: false })) as ReadableStream<Uint8Array>

/** A file name that is valid on every system. */
const fileName = (name: string): string =>
  name
    .replaceAll(/[^\p{L}\p{M}\p{N} ._-]/gu, '_')
    .trim()
    .slice(0, 60) || 'camera'

const ORIGINAL_LINES = [
  'Each MP4 file is signed. It shows exactly the time above. A few seconds before and after it are in the file, unseen, because',
  'they are needed to decode the footage and to prove it.',
]

const DERIVED_LINES = [
  'NOT THE ORIGINAL: the pictures and the sound were re-encoded, for what is named above. They are not what the camera sent, byte for byte.',
  'Each MP4 file is signed, which proves that it was not changed since the export, and not what was recorded.',
]

const moreGaps = (count: number): string => (count === 1 ? '1 more gap' : `${count} more gaps`)

const gapLines = ({ gaps, allGaps }: Pick<ZipClip, 'gaps' | 'allGaps'>): readonly string[] => [
  ...gaps.map(({ from, till }) => `  No footage: ${toDateTime(from)} to ${toDateTime(till)}`),
  ...(allGaps > gaps.length ? [`  No footage: ${moreGaps(allGaps - gaps.length)}, listed in the file's manifest`] : []),
]

const additionsText = ({ overlay, logo }: Pick<ZipSubject, 'overlay' | 'logo'>): string =>
  [...(overlay ? ['name of the camera and local time'] : []), ...(logo ? ['logo'] : [])].join(', ')

/** For readers: what the file contains and how to check it. */
function contentsText(subject: ZipSubject, files: readonly ZippedFile[], hasPage: boolean): string {
  const { exportId, name, reason, exportedBy, from, till, now, signer, overlay, watermark, logo, speed } = subject
  const about: readonly (readonly [string, string])[] = [
    ['Export', name === '' ? String(exportId) : `${exportId} (${name})`],
    ['Exported by', exportedBy],
    ['Exported at', toDateTime(now)],
    ...(reason === '' ? [] : [['Reason', reason] as const]),
    ['Time', `${toDateTime(from)} to ${toDateTime(till)}`],
    ['Signed with', signer],
    ...(overlay || logo ? [['Added to the pictures', additionsText({ overlay, logo })] as const] : []),
    ...(speed > 1 ? [['Speed', `${speed} times as fast as recorded, without sound`] as const] : []),
    ...(watermark === null ? [] : [['Watermark', watermark] as const]),
  ]
  const check = hasPage
    ? 'Open footage-check.html in a browser and choose a file: the page works without a network.'
    : 'Check them with "footage verify" or the page /footage-check.html of the server.'
  return [
    'FOOTAGE',
    '',
    ...about.map(([label, value]) => `${label}: ${value}`),
    '',
    ...(isDerived(subject) ? DERIVED_LINES : ORIGINAL_LINES),
    check,
    'Ask the person who gave you these files for the fingerprint of the key, by another way than this file.',
    '',
    ...files.flatMap(({ file, cameraName, cameraId, from: first, till: last, sound, bytes, sha256, ...rest }) => [
      file,
      `  Camera: ${cameraName} (${cameraId})`,
      `  Time: ${toDateTime(first)} to ${toDateTime(last)}`,
      ...gapLines(rest),
      `  Sound: ${soundText(sound, speed)}`,
      `  Size: ${bytes} bytes`,
      `  SHA-256: ${sha256}`,
      '',
    ]),
  ].join('\r\n')
}
