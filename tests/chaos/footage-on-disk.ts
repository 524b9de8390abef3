import { spawn } from 'node:child_process'
import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { readFrameCounter } from '@sightline/camera-simulator/frame-counter'
import { initSegment, readFragment } from '../../server/media/src/mux/index.ts'
import { footageKek, type KeyFinder, keysInFiles, SegmentReader } from '../../server/media/src/recording/index.ts'
import { pictureHash } from './viewer.ts'

/** One segment file on the disk. */
export interface SegmentOnDisk {
  readonly path: string
  readonly cameraId: number
  readonly stream: 'main' | 'sub'
  readonly runId: string
  readonly start: number
  readonly end: number
  readonly bytes: number
  /** Why it was closed; undefined while it is still being written. */
  readonly why: string | undefined
}

/** Opens encrypted footage of a product as an operator would: with the files beside it and the product's secrets. */
const keys: KeyFinder = {
  async find(header, path) {
    // data folder/footage/account/camera/stream/day/hour/segment
    const secrets = JSON.parse(await readFile(resolve(path, '../../../../../../../secrets.json'), 'utf8'))
    return await keysInFiles(footageKek(Buffer.from(secrets.installationKey, 'base64'))).find(header, path)
  },
}

const NOT_FOOTAGE = new Set(['manifest.jsonl', 'key', 'head', 'head.new'])

/** All files in the store except hash chains, their signed heads, and keys. */
async function filesInStore(store: string): Promise<readonly string[]> {
  const entries = await readdir(store, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile() && !NOT_FOOTAGE.has(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}

/**
 * Non-empty files that are neither segments, chains, heads, keys, the disk reserve nor the retention clock. A kill between creating a file and writing its first
 * part leaves an empty one; recovery sets it aside and deletes nothing.
 */
export async function strayFiles(store: string): Promise<readonly string[]> {
  const known = ['reserve', 'clock.json'].map((name) => join(store, name))
  const others = (await filesInStore(store)).filter((path) => !path.endsWith('.seg') && !known.includes(path))
  const sizes = await Promise.all(others.map(async (path) => (await stat(path)).size))
  return others.filter((_, index) => sizes[index] !== 0)
}

/** Segments of main streams that begin at `until` or earlier; a newer one may still be empty. */
export async function segmentsOnDisk(store: string, until: number): Promise<readonly SegmentOnDisk[]> {
  return (await segmentsOfAllStreams(store, until)).filter(({ stream }) => stream === 'main')
}

/** The same with those of sub-streams. */
export async function segmentsOfAllStreams(store: string, until: number): Promise<readonly SegmentOnDisk[]> {
  const paths = (await filesInStore(store)).filter((path) => path.endsWith('.seg'))
  return Promise.all(paths.filter((path) => Number.parseInt(basename(path), 10) <= until).map(readSegment))
}

async function readSegment(path: string): Promise<SegmentOnDisk> {
  await using reader = await SegmentReader.openWithoutKey(path)
  const { cameraId, stream, runId, start } = reader.head.header
  const { endWallClock: end, end: why } = reader
  return { path, cameraId, stream, runId, start, end, bytes: (await stat(path)).size, why }
}

/** Of the worker that wrote a segment, from its name. */
export const parseFence = (path: string): number => Number(/-(\d+)-[0-9a-f]{32}\.seg$/.exec(path)?.[1])

/** The {@link pictureHash} of every picture in a segment. */
export async function picturesInSegment(path: string): Promise<readonly string[]> {
  await using reader = await SegmentReader.open(path, keys)
  const hashes: string[] = []
  for (const part of reader.parts) {
    const samples = readFragment(await reader.readPart(part), reader.head.tracks, { origin: 0, wallClockAtZero: 0 })
    for (const { unit } of samples) if (unit.kind === 'video') hashes.push(pictureHash(unit))
  }
  return hashes
}

/** The time of every picture in a segment by the camera's own clock: ticks of 1/90,000 s since the run began. */
export async function pictureTimes(path: string): Promise<readonly number[]> {
  await using reader = await SegmentReader.open(path, keys)
  const { header, tracks } = reader.head
  const times: number[] = []
  for (const part of reader.parts) {
    const samples = readFragment(await reader.readPart(part), tracks, { origin: header.baseTime, wallClockAtZero: 0 })
    for (const { unit } of samples) if (unit.kind === 'video') times.push(unit.time)
  }
  return times
}

export interface DecodedFootage {
  /** Errors from ffmpeg; empty for a valid file. */
  readonly complaints: string
  /** The number burned into each picture; undefined if unreadable. */
  readonly counters: readonly (number | undefined)[]
}

/** The simulator's pictures: the strip with the number is the top 64 of 1080 lines. */
const WIDTH = 1920
const HEIGHT = 1080
const STRIP_LINES = 64

/** The segment as a file that every player knows: its first boxes and all parts. */
async function decrypted(path: string): Promise<Uint8Array> {
  await using reader = await SegmentReader.open(path, keys)
  const parts: Uint8Array[] = []
  for (const part of reader.parts) parts.push(await reader.readPart(part))
  return Buffer.concat([initSegment(reader.head.tracks), ...parts])
}

/** Decodes a segment's picture and sound with ffmpeg, stopping at the first error. */
export async function decodeSegment(path: string): Promise<DecodedFootage> {
  const strict = ['-v', 'error', '-xerror', '-err_detect', 'explode']
  const picture = ['-map', '0:v', '-vf', `crop=${WIDTH}:${STRIP_LINES}:0:0,format=gray`, '-fps_mode', 'passthrough']
  const sound = ['-map', '0:a?', '-f', 'null', '-']
  const child = spawn('ffmpeg', [...strict, '-i', 'pipe:0', ...picture, '-f', 'rawvideo', 'pipe:1', ...sound], {
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  // ffmpeg may end before it has read everything; its exit code tells.
  child.stdin.on('error', () => undefined).end(await decrypted(path))
  const code = new Promise<number | null>((done) => child.once('close', done))
  const complaints = text(child.stderr)
  const counters: (number | undefined)[] = []
  let rest = Buffer.alloc(0)
  for await (const chunk of child.stdout) {
    let bytes = Buffer.concat([rest, chunk])
    for (; bytes.length >= WIDTH * STRIP_LINES; bytes = bytes.subarray(WIDTH * STRIP_LINES)) {
      counters.push(readFrameCounter(bytes.subarray(0, WIDTH * STRIP_LINES), WIDTH, HEIGHT))
    }
    rest = bytes
  }
  const exit = await code
  return { complaints: `${await complaints}${exit === 0 ? '' : `exit code ${exit}`}`, counters }
}
