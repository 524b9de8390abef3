// Runs in the page before the app's code: records which picture of a simulated camera is on the screen at which time.
// browser-viewer.ts prepends `readFrameCounter`.
;(() => {
  const seen = []
  let actedAt
  globalThis.benchSeen = () => ({ actedAt, seen })
  globalThis.benchForget = () => {
    seen.length = 0
    actedAt = undefined
  }
  /** The time of the stage while it stands still, if it is another than `before`; milliseconds since 1970. */
  globalThis.benchStill = (before) => {
    const { footageTime, still } = document.querySelector('[data-footage-time]')?.dataset ?? {}
    return still === 'true' && Number(footageTime) !== before ? { time: Number(footageTime) } : undefined
  }
  for (const act of ['click', 'keydown']) addEventListener(act, () => (actedAt = Date.now()), { capture: true })

  const scratch = new OffscreenCanvas(1, 1)
  const context = scratch.getContext('2d', { willReadFrequently: true })

  /** The counter in the strip at the top of a picture. */
  function counterOn(canvas, draw) {
    const { width, height } = canvas
    // No strip is higher than a tenth of its picture.
    const lines = Math.ceil(height / 10)
    if (scratch.width !== width || scratch.height !== lines) Object.assign(scratch, { width, height: lines })
    draw.call(context, canvas, 0, 0)
    const { data } = context.getImageData(0, 0, width, lines)
    const luma = new Uint8Array(width * lines)
    for (let pixel = 0; pixel < luma.length; pixel += 1) luma[pixel] = data[pixel * 4 + 1]
    return readFrameCounter(luma, width, height)
  }

  const tiles = []
  /** The number of a canvas, in the order in which they were first drawn. */
  function tileOf(canvas) {
    if (!tiles.includes(canvas)) tiles.push(canvas)
    return tiles.indexOf(canvas)
  }

  const draw = CanvasRenderingContext2D.prototype.drawImage
  const drawOffscreen = OffscreenCanvasRenderingContext2D.prototype.drawImage
  /** When each canvas was first drawn since the browser's last frame. */
  const drawn = new Map()
  CanvasRenderingContext2D.prototype.drawImage = function (...words) {
    draw.apply(this, words)
    const { canvas } = this
    if (canvas.dataset.cameraPicture === undefined || drawn.has(canvas)) return
    const drawnAt = Date.now()
    drawn.set(canvas, drawnAt)
    // The browser displays what was drawn before its next frame. Takes the time before reading pixels.
    requestAnimationFrame(() => {
      const shownAt = Date.now()
      drawn.delete(canvas)
      const counter = counterOn(canvas, drawOffscreen)
      if (counter !== undefined) seen.push({ tile: tileOf(canvas), counter, drawnAt, shownAt })
    })
  }
})()
