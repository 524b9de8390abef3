import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { AccessUnit, TrackConfig } from '../frame/index.ts'

type VideoTrack = Extract<TrackConfig, { kind: 'video' }>

/** Turns coded pictures into ones that every program can show. Only where the operator installed one; nothing depends on it. */
export interface Decoder {
  /** The key picture as a JPEG of its own size, at most; rejects when it cannot be decoded in 5 s. */
  toJpeg(track: VideoTrack, picture: AccessUnit): Promise<Uint8Array>
}

const START_CODE = Buffer.of(0, 0, 0, 1)
const TIMEOUT_MS = 5000
const MAX_JPEG_BYTES = 16 * 1024 * 1024

/** Path of the system's ffmpeg, or undefined. */
export function findFfmpeg(searchPath: string): string | undefined {
  return searchPath
    .split(delimiter)
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, process.platform === 'win32' ? 'ffmpeg.exe' : 'ffmpeg'))
    .find((path) => existsSync(path))
}

/**
 * Decodes with an ffmpeg of the system, a process for each picture: what a camera sends is hostile, so a parser that
 * breaks must break alone. At most `concurrency` at once; others wait.
 */
export function ffmpegDecoder(ffmpeg: string, concurrency = 2): Decoder {
  let running = 0
  const waiting: (() => void)[] = []
  const enter = async () => {
    if (running < concurrency) running += 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
  }
  const leave = () => {
    const next = waiting.shift()
    if (next === undefined) running -= 1
    else next()
  }
  return {
    async toJpeg(track, picture) {
      await enter()
      try {
        return await decode(ffmpeg, track, picture)
      } finally {
        leave()
      }
    },
  }
}

function decode(ffmpeg: string, track: VideoTrack, picture: AccessUnit): Promise<Uint8Array> {
  const input = ['-f', track.codec === 'h264' ? 'h264' : 'hevc', '-i', 'pipe:0']
  const output = ['-frames:v', '1', '-q:v', '4', '-f', 'mjpeg', 'pipe:1']
  const child = spawn(ffmpeg, ['-hide_banner', '-loglevel', 'error', '-threads', '1', ...input, ...output], {
    env: {},
    stdio: ['pipe', 'pipe', 'pipe'],
    timeout: TIMEOUT_MS,
    killSignal: 'SIGKILL',
  })
  const chunks: Buffer[] = []
  let size = 0
  let complaint = ''
  child.stdout.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size > MAX_JPEG_BYTES) child.kill('SIGKILL')
    else chunks.push(chunk)
  })
  child.stderr.on('data', (chunk: Buffer) => {
    complaint = (complaint + chunk.toString()).slice(0, 500)
  })
  // It may end before it has read everything; its exit code tells.
  child.stdin.on('error', () => undefined)
  for (const unit of [...track.parameterSets, ...picture.units]) {
    child.stdin.write(START_CODE)
    child.stdin.write(unit)
  }
  child.stdin.end()
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => {
      if (code === 0 && size > 0) resolve(Buffer.concat(chunks))
      else reject(new Error(`ffmpeg ended with ${code} instead of a picture: ${complaint.trim()}`))
    })
  })
}
