import { spawn } from 'node:child_process'
import { readdir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { readFrameCounter } from '@sightline/camera-simulator/frame-counter'
import { readFragment } from '../../server/media/src/mux/index.ts'
import { SegmentReader } from '../../server/media/src/recording/index.ts'
import { pictureHash } from './viewer.ts'

/** One segment file as it lies there. */
export interface SegmentOnDisk {
  readonly path: string
  readonly cameraId: number
  readonly runId: string
  readonly start: number
  readonly end: number
  readonly bytes: number
  /** Why it was closed; undefined while it is being written. */
  readonly why: string | undefined
}

/** Every file below the store, the chain of hashes left out. */
async function filesInStore(store: string): Promise<readonly string[]> {
  const entries = await readdir(store, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile() && entry.name !== 'manifest.jsonl')
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}

/**
 * Files with content that are neither segments nor the room that is held back on the disk. An empty one is what a kill
 * leaves that falls between making a file and writing its first part; recovery sets it aside and deletes nothing.
 */
export async function strayFiles(store: string): Promise<readonly string[]> {
  const reserve = join(store, 'reserve')
  const others = (await filesInStore(store)).filter((path) => !path.endsWith('.seg') && path !== reserve)
  const sizes = await Promise.all(others.map(async (path) => (await stat(path)).size))
  return others.filter((_, index) => sizes[index] !== 0)
}

/** Segments that begin at that moment or earlier: one that is being made now may be empty still. */
export async function segmentsOnDisk(store: string, until: number): Promise<readonly SegmentOnDisk[]> {
  const paths = (await filesInStore(store)).filter((path) => path.endsWith('.seg'))
  return Promise.all(paths.filter((path) => Number.parseInt(basename(path), 10) <= until).map(readSegment))
}

async function readSegment(path: string): Promise<SegmentOnDisk> {
  await using reader = await SegmentReader.open(path)
  const { cameraId, runId, start } = reader.head.header
  return { path, cameraId, runId, start, end: reader.endWallClock, bytes: (await stat(path)).size, why: reader.end }
}

/** {@link pictureHash} of every picture in a segment. */
export async function picturesInSegment(path: string): Promise<readonly string[]> {
  await using reader = await SegmentReader.open(path)
  const hashes: string[] = []
  for (const part of reader.parts) {
    const samples = readFragment(await reader.readPart(part), reader.head.tracks, { origin: 0, wallClockAtZero: 0 })
    for (const { unit } of samples) if (unit.kind === 'video') hashes.push(pictureHash(unit))
  }
  return hashes
}

export interface DecodedFootage {
  /** What ffmpeg complained about; empty for a file without an error. */
  readonly complaints: string
  /** The number burnt into each picture; undefined where it cannot be read. */
  readonly counters: readonly (number | undefined)[]
}

/** The simulator's pictures: the strip with the number is the top 64 of 1080 lines. */
const WIDTH = 1920
const HEIGHT = 1080
const STRIP_LINES = 64

/** Plays a segment with ffmpeg, picture and sound, giving up at the first error. */
export async function decodeSegment(path: string): Promise<DecodedFootage> {
  const strict = ['-v', 'error', '-xerror', '-err_detect', 'explode']
  const picture = ['-map', '0:v', '-vf', `crop=${WIDTH}:${STRIP_LINES}:0:0,format=gray`, '-fps_mode', 'passthrough']
  const sound = ['-map', '0:a?', '-f', 'null', '-']
  const child = spawn('ffmpeg', [...strict, '-i', path, ...picture, '-f', 'rawvideo', 'pipe:1', ...sound], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
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
