import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** Brightness of each picture, row by row. */
export interface DecodedPictures {
  readonly width: number
  readonly height: number
  readonly pictures: readonly Buffer[]
}

interface Ran {
  readonly output: Buffer
  readonly complaints: string
  readonly code: number | null
}

async function run(command: string, args: readonly string[], input: Buffer | undefined): Promise<Ran> {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'] })
  const output: Buffer[] = []
  const complaints: Buffer[] = []
  child.stdout.on('data', (bytes: Buffer) => output.push(bytes))
  child.stderr.on('data', (bytes: Buffer) => complaints.push(bytes))
  child.stdin.end(input)
  const [code] = await once(child, 'close')
  return { output: Buffer.concat(output), complaints: Buffer.concat(complaints).toString(), code }
}

/** What is wrong is an error, and an error ends ffmpeg. */
const STRICT = ['-v', 'warning', '-xerror', '-err_detect', 'explode']

/**
 * Decodes with ffmpeg at its strictest; `source` is its input options, ending in `-i …`. Fails when ffmpeg says anything
 * about broken data.
 */
export async function decodeStrictly(
  source: readonly string[],
  size: { readonly width: number; readonly height: number },
  input?: Buffer,
): Promise<DecodedPictures> {
  const { width, height } = size
  const toRaw = [
    '-map',
    '0:v',
    '-vsync',
    'passthrough',
    '-vf',
    `scale=${width}:${height}`,
    '-f',
    'rawvideo',
    '-pix_fmt',
    'yuv420p',
    '-',
  ]
  const { output, complaints, code } = await run('ffmpeg', [...STRICT, ...source, ...toRaw], input)
  if (code !== 0 || /error|corrupt|invalid|conceal|missing/i.test(complaints))
    throw new Error(`ffmpeg ended with ${code}: ${complaints}`)
  // Converting to gray would stretch the range, so the two color planes, a quarter each, are decoded and dropped here.
  const [luma, all] = [width * height, (width * height * 3) / 2]
  const pictures = Array.from({ length: Math.floor(output.length / all) }, (_, at) =>
    output.subarray(at * all, at * all + luma),
  )
  return { width, height, pictures }
}
