/** RTSP as ffmpeg, GStreamer and a plain client of our own play it. */
import { execFile, execFileSync } from 'node:child_process'
import { connect } from 'node:net'
import { promisify } from 'node:util'
import { expect, onTestFinished } from 'vitest'

const SECOND = 1000
const run = promisify(execFile)

/** What ffmpeg complains about while it decodes some pictures; empty if all is well. */
export const ffmpegFailure = (url: string, transport = 'tcp'): Promise<string> => {
  const input = ['-v', 'error', '-rtsp_transport', transport, '-i', url]
  return run('ffmpeg', [...input, '-frames:v', '30', '-f', 'null', '-'], { timeout: 30 * SECOND }).then(
    ({ stderr }) => stderr,
    ({ stderr }: { stderr: string }) => stderr || 'ffmpeg failed',
  )
}

/** How many pictures ffmpeg finds until the server ends the stream. */
export async function countRtspPictures(url: string, transport = 'tcp'): Promise<number> {
  const entries = [
    '-select_streams',
    'v',
    '-count_packets',
    '-show_entries',
    'stream=nb_read_packets',
    '-of',
    'csv=p=0',
  ]
  const args = ['-v', 'error', '-rtsp_transport', transport, ...entries, url]
  const { stdout } = await run('ffprobe', args, { timeout: 40 * SECOND })
  return Number.parseInt(stdout, 10)
}

const python = '/usr/bin/python3'
const elements = ['rtspsrc', 'rtph264depay', 'avdec_h264']
const script = `
import sys, gi
gi.require_version('Gst', '1.0')
from gi.repository import Gst
Gst.init(None)
if len(sys.argv) < 2:
  sys.exit(0 if all(Gst.ElementFactory.find(name) for name in ${JSON.stringify(elements)}) else 1)
pipe = Gst.parse_launch(sys.argv[1])
pipe.set_state(Gst.State.PLAYING)
message = pipe.get_bus().timed_pop_filtered(20 * Gst.SECOND, Gst.MessageType.EOS | Gst.MessageType.ERROR)
pipe.set_state(Gst.State.NULL)
print('nothing' if message is None else 'eos' if message.type == Gst.MessageType.EOS else str(message.parse_error()))
`
export const hasGst = (() => {
  try {
    execFileSync(python, ['-c', script], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})()

/** How a pipeline of GStreamer ends: `eos`, its error, or `nothing` within 20 s. */
export async function runGst(pipeline: string): Promise<string> {
  const { stdout } = await run(python, ['-c', script, pipeline])
  return stdout.trim()
}

/** How GStreamer ends after so many decoded pictures, 30 by default. */
export const gst = (location: string, sink = 'fakesink num-buffers=30'): Promise<string> =>
  runGst(`rtspsrc location="${location}" ! rtph264depay ! avdec_h264 ! ${sink}`)

/** A stream that plays; `ended` resolves with the time when the connection ended. */
export async function playRtspStream(
  url: string,
  { webPort }: { readonly webPort?: number } = {},
): Promise<{ ended: Promise<number>; bytes: () => number }> {
  const isInside = webPort !== undefined
  const port = webPort ?? Number(/^rtsp:..[^/]+:(\d+)/.exec(url)?.[1])
  const dial = () => {
    const opened = connect(port, '127.0.0.1').on('error', () => undefined)
    onTestFinished(() => void opened.destroy())
    return opened
  }
  const socket = dial()
  const up = isInside ? dial() : socket
  const send = (text: string) => void up.write(isInside ? Buffer.from(text).toString('base64') : text)
  let bytes = 0
  let answers = ''
  const ask = async (method: string, target: string, headers = '') => {
    answers = ''
    send(`${method} ${target} RTSP/1.0\r\nCSeq: 1\r\n${headers}\r\n`)
    await expect.poll(() => answers, { timeout: 20 * SECOND }).toMatch(/^RTSP\/1\.0 200 /)
  }
  socket.on('data', (chunk) => {
    bytes += chunk.length
    answers = `${answers}${chunk.toString('latin1', 0, 100)}`.slice(0, 4096)
  })
  const ended = new Promise<number>((resolve) => void socket.once('close', () => resolve(Date.now())))
  if (isInside) {
    const head = (method: string) =>
      `${method} ${url.replace(/^rtsp:..[^/]+/, '')} HTTP/1.0\r\nx-sessioncookie: ${url.length}-cookie\r\n`
    socket.write(`${head('GET')}\r\n`)
    await expect.poll(() => answers).toMatch(/^HTTP\/1\.0 200 /)
    up.write(`${head('POST')}Content-Length: 32767\r\n\r\n`)
  }
  await ask('DESCRIBE', url)
  await ask('SETUP', 'rtsp://127.0.0.1/stream/rtsp/track0', 'Transport: RTP/AVP/TCP;unicast\r\n')
  await ask('PLAY', url)
  const begun = bytes
  await expect.poll(() => bytes, { timeout: 10 * SECOND }).toBeGreaterThan(begun + 10_000)
  return { ended, bytes: () => bytes }
}
