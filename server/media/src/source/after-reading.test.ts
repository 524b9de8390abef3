import { expect, test } from 'vitest'
import { footage } from '../../../../tests/fixtures/footage.ts'
import { but, play, wireBytes } from './rtsp/testing/play-scripted.ts'

/** As if this process had other work. */
function block(ms: number): void {
  for (const until = performance.now() + ms; performance.now() < until; );
}

const refusesLate: ReturnType<typeof but> = (asked, socket) => {
  if (asked.method !== 'DESCRIBE') return but({})(asked, socket)
  process.nextTick(block, 500)
  return { status: '404 Not Found' }
}

test('a reply that came in time is read, however late the event loop is', async () => {
  const { ended } = await play(refusesLate)
  expect(ended.kind).toBe('streamNotFound')
})

test('a camera whose data waits to be read is not silent', async () => {
  const { frames } = footage('main.h264')
  const until = (count: number) => wireBytes(frames.slice(0, count))
  const picture = (index: number) => until(index + 1).subarray(until(index).length)
  const { ended } = await play((asked, socket) => {
    if (asked.method !== 'PLAY') return but({})(asked, socket)
    let sent = 0
    const sending = setInterval(() => {
      sent += 1
      if (sent > 4) {
        clearInterval(sending)
        return void socket.end()
      }
      socket.write(picture(sent))
      block(500)
    }, 50)
    return { headers: { Session: 'abc' }, followedBy: picture(0) }
  })
  expect(ended).toMatchObject({ kind: 'closed', detail: 'the camera closed the connection' })
})
