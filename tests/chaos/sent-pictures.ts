/** What cameras sent, by their own lists, beside what is recorded. */
import { type Simulator, startCameras } from '../../camera-simulator/src/index.ts'
import { decodeSegment, parseFence, type SegmentOnDisk } from './footage-on-disk.ts'
import { cameraLogin } from './simulated-installation.ts'

const clip = (name: string): string => new URL(`../../camera-simulator/test-clips/${name}`, import.meta.url).pathname

/** A camera's own list: when it sent which picture, milliseconds since 1970 by number. */
export type SentList = ReadonlyMap<number, number>

export interface ListingCameras extends AsyncDisposable {
  readonly rtspPorts: readonly number[]
  /** In the order of the ports; of main streams. They grow. */
  readonly lists: readonly SentList[]
}

/** Cameras of this process that write down each picture of 25 a second, from now on. */
export async function listingCameras(
  count: number,
  { rtspMedia = 'tcp' }: { readonly rtspMedia?: 'tcp' | 'udp' } = {},
): Promise<ListingCameras> {
  const simulator: Simulator = await startCameras({
    cameras: Array.from({ length: count }, (_, index) => ({
      name: `Camera ${index}`,
      mac: `02:53:4c:02:00:0${index}`,
      ...cameraLogin,
      rtspMedia,
      clips: {
        main: { path: clip('main.h264'), framesPerSecond: 25 },
        sub: { path: clip('sub.h264'), framesPerSecond: 10 },
      },
    })),
  })
  const stops: (() => void)[] = []
  const lists = simulator.cameras.map((camera) => {
    const sent = new Map<number, number>()
    stops.push(camera.watchSent('main', (counter) => sent.set(counter, Date.now())))
    return sent
  })
  return {
    rtspPorts: simulator.cameras.map(({ address }) => address.rtspPort),
    lists,
    async [Symbol.asyncDispose]() {
      for (const stop of stops) stop()
      await simulator[Symbol.asyncDispose]()
    },
  }
}

/** Pictures that were sent one after another, and none of them recorded. */
export interface UnrecordedSpan {
  readonly pictures: number
  /** When its first and last one were sent. */
  readonly from: number
  readonly till: number
}

export interface Comparison {
  readonly recorded: number
  readonly holes: readonly UnrecordedSpan[]
  /** Numbers in the footage that aren't larger than those before of the same fence, or that the camera never sent. */
  readonly wrong: readonly (number | undefined)[]
  /** What ffmpeg says about the segments. */
  readonly complaints: string
}

/**
 * Compares a camera's list with its segments, between the first and the last recorded picture. When a camera moves, two workers
 * record the same pictures for a moment, each with its own fence.
 */
export async function compareWithSent(sent: SentList, segments: readonly SegmentOnDisk[]): Promise<Comparison> {
  const numbers: (number | undefined)[] = []
  const highest = new Map<number, number>()
  const wrong: (number | undefined)[] = []
  let complaints = ''
  for (const { path } of segments.toSorted((a, b) => a.start - b.start)) {
    const decoded = await decodeSegment(path)
    numbers.push(...decoded.counters)
    complaints += decoded.complaints
    const fence = parseFence(path)
    for (const number of decoded.counters) {
      const before = highest.get(fence) ?? -1
      if (number === undefined || !sent.has(number) || number <= before) wrong.push(number)
      highest.set(fence, Math.max(before, number ?? -1))
    }
  }
  const recorded = new Set(numbers)
  const known = numbers.filter((number) => number !== undefined)
  const [first, last] = [Math.min(...known.slice(0, 1)), Math.max(...highest.values())]
  return {
    recorded: recorded.size,
    holes: holesIn(
      [...sent].filter(([number]) => number >= first && number <= last),
      recorded,
    ),
    wrong,
    complaints,
  }
}

function holesIn(
  sent: readonly (readonly [number, number])[],
  recorded: ReadonlySet<number | undefined>,
): UnrecordedSpan[] {
  const holes: UnrecordedSpan[] = []
  let isInHole = false
  for (const [number, at] of sent) {
    if (recorded.has(number)) isInHole = false
    else {
      const before = isInHole ? holes.pop() : undefined
      holes.push({ pictures: (before?.pictures ?? 0) + 1, from: before?.from ?? at, till: at })
      isInHole = true
    }
  }
  return holes
}
