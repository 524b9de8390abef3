import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
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

/** Opens the page in a tab. */
export async function openBareVideo(page: Page, { origin }: BareVideo): Promise<void> {
  await page.goto(origin)
  await page.addScriptTag({ path: join(import.meta.dirname, 'bare-video.js') })
}

/** Jumps to a time of the file, in seconds; milliseconds until a picture was handed to the screen. */
export const measureJump = (page: Page, time: number): Promise<number> => page.evaluate(`benchJump(${time})`)

export const setPlaying = (page: Page, isPlaying: boolean): Promise<void> => page.evaluate(`benchPlay(${isPlaying})`)
