import { once } from 'node:events'
import { G711_RATE, parseAdts } from '../codec/index.ts'
import { startDecoder, untilEnded } from './sandbox.ts'

/** Makes AAC-LC of sound, 8000 samples a second, one channel. */
export interface SoundEncoder extends Disposable {
  /** The next samples, 32,767 as full scale. Resolves when more can be taken. @throws if the process has ended. */
  push(samples: Int16Array): Promise<void>
  /** There are no more samples. */
  finish(): void
  /** The packet with the samples from `number` × 1024 on; packets before it are forgotten. @throws if it doesn't come. */
  packet(number: number): Promise<Uint8Array>
}

const BITS_PER_SECOND = '32k'
const PROCESSOR_SECONDS = 6 * 3600
/** An encoder that makes nothing of its samples for so long hangs. */
const STUCK_MS = 30_000
/** The encoder's first packet is what it needs before the first sample. */
const PRIMING_PACKETS = 1

/** Starts ffmpeg. It may keep up to half a second of sound before it makes packets of it. */
export function startSoundEncoder({ ffmpeg }: { readonly ffmpeg: string }): SoundEncoder {
  const format = ['-f', 's16le', '-ar', String(G711_RATE), '-ac', '1']
  const input = ['-probesize', '32', '-analyzeduration', '0', ...format, '-i', 'pipe:0']
  const output = ['-c:a', 'aac', '-b:a', BITS_PER_SECOND, '-f', 'adts', '-flush_packets', '1', 'pipe:1']
  const child = startDecoder(ffmpeg, [...input, ...output], { processorSeconds: PROCESSOR_SECONDS })
  const packets: Uint8Array[] = []
  let first = 0
  let waiting: Buffer = Buffer.alloc(0)
  let fault: Error | undefined
  let wake = Promise.withResolvers<void>()
  const tell = () => {
    wake.resolve()
    wake = Promise.withResolvers()
  }
  child.stdout.on('data', (chunk: Buffer) => {
    waiting = Buffer.concat([waiting, chunk])
    for (let head = parseAdts(waiting); head !== undefined; head = parseAdts(waiting)) {
      if (waiting.length < head.frameBytes) break
      packets.push(Uint8Array.from(waiting.subarray(head.headerBytes, head.frameBytes)))
      waiting = waiting.subarray(head.frameBytes)
    }
    tell()
  })
  const ended = untilEnded(child, () => false).then((complaint) => {
    fault = new Error(`the sound could not be encoded: ${complaint}`)
    tell()
  })
  const drained = async () => {
    await Promise.race([once(child.stdin, 'drain').catch(() => undefined), ended])
  }
  return {
    async push(samples) {
      if (fault !== undefined) throw fault
      if (!child.stdin.write(Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength))) await drained()
    },
    finish() {
      child.stdin.end()
    },
    async packet(number) {
      const index = number + PRIMING_PACKETS
      const stuck = setTimeout(() => child.kill('SIGKILL'), STUCK_MS)
      try {
        for (;;) {
          const found = packets[index - first]
          if (found !== undefined) {
            packets.splice(0, index - first)
            first = index
            return found
          }
          if (fault !== undefined) throw fault
          await wake.promise
        }
      } finally {
        clearTimeout(stuck)
      }
    },
    [Symbol.dispose]() {
      child.kill('SIGKILL')
    },
  }
}
