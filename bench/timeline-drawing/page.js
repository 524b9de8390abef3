/** Runs in the browser: the Web App's timeline, drawn again and again while it is zoomed. */
import { sumsToFootage, toStretches } from '../../web/camera-app/src/recordings/timeline/footage.ts'
import { TimelineView } from '../../web/camera-app/src/recordings/timeline/view.ts'

const DAY = 86_400_000
const NOW = Date.now()
const ROWS = [1, 2, 3, 4, 5, 6, 7, 8, 9]
const reasons = ['cameraOffline', 'network', 'disk', 'schedule', 'noEvent', 'deletedByRetention']

/** A range with so many stretches of footage, each with a gap after it. */
function stretches({ from, till }, count) {
  const each = (till - from) / count
  const recorded = Array.from({ length: count }, (_, n) => ({
    from: from + n * each,
    till: from + (n + 0.7) * each,
    code: n % 8,
  }))
  const gaps = recorded.map((one, n) => ({ from: one.till, till: from + (n + 1) * each, code: n % 12 }))
  return {
    recorded: toStretches(recorded),
    gaps: toStretches(gaps),
    events: events({ from, till }, Math.min(count, 1000)),
  }
}

const events = ({ from, till }, count) =>
  Array.from({ length: count }, (_, n) => {
    const start = from + ((till - from) * n) / count
    return { eventId: n, type: 'motion', from: start, till: start + 10_000 }
  })

/** The same as the server's sums per day. */
function sums({ from, till }, count) {
  const days = Math.round((till - from) / DAY)
  const perDay = count / 366
  const recorded = Array.from({ length: days }, (_, n) =>
    Math.round(86_400 * (0.3 + 0.7 * Math.abs(Math.sin(n * perDay)))),
  )
  const gaps = Object.fromEntries(
    reasons.map((reason, k) => [
      reason,
      recorded.map((seconds, n) => (n % reasons.length === k ? 86_400 - seconds : 0)),
    ]),
  )
  return sumsToFootage(
    { cameraId: 1, recorded, event: recorded.map((_, n) => n % 3), locked: [], gaps },
    { from, intervalMs: DAY },
  )
}

const nextFrame = () => new Promise((done) => requestAnimationFrame(done))

/** The milliseconds of each frame: `work` is between two callbacks of the same frame, and its pixels are there afterwards. */
async function frames(count, context, work) {
  const took = []
  for (let n = -20; n < count; n += 1) {
    let began = 0
    requestAnimationFrame(() => {
      began = performance.now()
    })
    work(n)
    await nextFrame()
    // Painting waits until someone wants to see it.
    context.getImageData(0, 0, 1, 1)
    if (n >= 0) took.push(performance.now() - began)
  }
  return took
}

/** The frames of nine rows in `length` milliseconds with so many stretches in each. */
window.drawTimeline = async ({ length, count, frameCount }) => {
  const span = { from: NOW - length, till: NOW }
  const canvas = document.querySelector('canvas')
  const track = canvas.parentElement
  const view = new TimelineView({
    span,
    timeZone: 'Europe/Amsterdam',
    now: NOW,
    locale: 'en-GB',
    load: async ({ level, from, till, cameraIds }) => {
      const range = { from, till }
      const footage =
        level === 'days' ? sums(range, count) : stretches(range, Math.ceil((count * (till - from)) / length))
      return new Map(cameraIds.map((id) => [id, footage]))
    },
    onPick: () => undefined,
    onMarks: () => undefined,
  })
  const detach = view.attach(canvas, track)
  view.update({
    cameraIds: ROWS,
    timeZone: 'Europe/Amsterdam',
    locale: 'en-GB',
    onPick: () => undefined,
    onMarks: () => undefined,
  })
  await new Promise((done) => setTimeout(done, 300))
  // In and out by three percent, so that no two frames are alike and the range keeps its stretches.
  const took = await frames(frameCount, canvas.getContext('2d'), (n) =>
    view.model.zoomBy(n % 2 === 0 ? 0.97 : 1 / 0.97, 300 + (n % 400)),
  )
  detach()
  return took
}

/** The same canvas, filled with one color. */
window.fillCanvas = async ({ frameCount }) => {
  const canvas = document.querySelector('canvas')
  const context = canvas.getContext('2d')
  return frames(frameCount, context, (n) =>
    requestAnimationFrame(() => {
      context.clearRect(0, 0, canvas.width, canvas.height)
      context.fillStyle = `rgb(${n % 256} 80 80)`
      context.fillRect(0, 0, canvas.width, canvas.height)
    }),
  )
}
