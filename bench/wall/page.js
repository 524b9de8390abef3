// The page of the bench: opens all cameras at once, and answers with the milliseconds from then until each shows its first picture.
import { openCameraView } from '@sightline/player'

const PATIENCE_MS = 30_000

async function openWall({ token, cameraIds }) {
  const begun = performance.now()
  const call = async (path, body) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const init = body === undefined ? { headers } : { headers, method: 'POST', body: JSON.stringify(body) }
    const reply = await fetch(`/rest/v2.4/${path}`, init)
    if (!reply.ok) throw new Error(`${path} answered ${reply.status}`)
    return await reply.json()
  }
  /** The two calls of the Web App for the smallest stream. */
  const address = async (cameraId) => {
    const [streams, { ticket }] = await Promise.all([
      call(`cameras/${cameraId}/streams`),
      call(`cameras/${cameraId}/streamTickets`, { use: 'live' }),
    ])
    const href = new URL(streams[1]?.urls.mseWss ?? '')
    href.searchParams.set('ticket', ticket)
    return { href: href.href, stream: 'sub', hasSub: true }
  }
  const open = (cameraId) => {
    const [canvas, video] = [document.createElement('canvas'), document.createElement('video')]
    document.body.append(canvas, video)
    const screen = { canvas, video }
    const view = openCameraView({ screen, use: 'live', stream: 'smallest', address: () => address(cameraId) })
    return new Promise((resolve, reject) => {
      view.subscribe(() => {
        if (view.state.pictures > 0) resolve(performance.now() - begun)
      })
      const explain = () => reject(new Error(`camera ${cameraId} shows nothing: ${JSON.stringify(view.state)}`))
      setTimeout(explain, PATIENCE_MS)
    })
  }
  return await Promise.all(cameraIds.map(open))
}

Object.assign(globalThis, { openWall })
