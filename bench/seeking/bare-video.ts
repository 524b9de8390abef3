import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'

/** A web page with nothing but a video element, and its file, served from loopback. */
export interface BareVideo extends AsyncDisposable {
  readonly origin: string
}

/** Serves a file by ranges, as a video element asks for it. */
export async function serveBareVideo(path: string): Promise<BareVideo> {
  const { size } = await stat(path)
  const server = createServer(({ url, headers }, answer) => {
    if (url === '/footage.mp4') sendRange(answer, { path, size, range: headers.range })
    else answer.setHeader('content-type', 'text/html').end('<!doctype html><video src="/footage.mp4" muted></video>')
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

function sendRange(
  answer: ServerResponse,
  { path, size, range = '' }: { path: string; size: number; range: string | undefined },
): void {
  const [, first = '0', last = ''] = /^bytes=(\d+)-(\d*)$/.exec(range) ?? []
  const [start, end] = [Number(first), last === '' ? size - 1 : Number(last)]
  answer.writeHead(range === '' ? 200 : 206, {
    'content-type': 'video/mp4',
    'accept-ranges': 'bytes',
    'content-length': end - start + 1,
    ...(range === '' ? {} : { 'content-range': `bytes ${start}-${end}/${size}` }),
  })
  createReadStream(path, { start, end }).pipe(answer)
}

/** Jumps to a time of the file, in seconds; milliseconds until a picture was handed to the screen. */
export const jumpOf = (page: Page, time: number): Promise<number> =>
  page.evaluate(async (wanted) => {
    const video = document.querySelector('video')
    if (video === null) throw new Error('there is no video')
    const begun = performance.now()
    const shown = new Promise<number>((done, failed) => {
      const { duration, readyState } = video
      setTimeout(() => failed(new Error(`no picture at ${wanted} of ${duration} s, state ${readyState}`)), 10_000)
      // A picture from before the jump may still come.
      const next = (now: number, { mediaTime }: VideoFrameCallbackMetadata) => {
        if (Math.abs(mediaTime - wanted) < 1) done(now - begun)
        else video.requestVideoFrameCallback(next)
      }
      video.requestVideoFrameCallback(next)
    })
    video.currentTime = wanted
    return shown
  }, time)

export const setPlaying = (page: Page, isPlaying: boolean): Promise<void> =>
  page.evaluate(async (plays) => {
    const video = document.querySelector('video')
    if (plays) await video?.play()
    else video?.pause()
  }, isPlaying)
