// Runs in the page before the app's code: records which picture of a simulated camera is on the screen at which time.
// browser-viewer.ts prepends `readFrameCounter`.
;(() => {
  const seen = []
  let clickedAt
  globalThis.benchSeen = () => ({ clickedAt, seen })
  globalThis.benchForget = () => {
    seen.length = 0
    clickedAt = undefined
  }
  addEventListener('click', () => (clickedAt = Date.now()), { capture: true })

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

  const draw = CanvasRenderingContext2D.prototype.drawImage
  const drawOffscreen = OffscreenCanvasRenderingContext2D.prototype.drawImage
  let drawnAt
  CanvasRenderingContext2D.prototype.drawImage = function (...words) {
    draw.apply(this, words)
    const { canvas } = this
    if (canvas.dataset.cameraPicture === undefined) return
    const isFirst = drawnAt === undefined
    drawnAt = Date.now()
    // The browser displays what was drawn before its next frame. Takes the time before reading pixels.
    if (isFirst)
      requestAnimationFrame(() => {
        const shownAt = Date.now()
        const counter = counterOn(canvas, drawOffscreen)
        if (counter !== undefined) seen.push({ counter, drawnAt, shownAt })
        drawnAt = undefined
      })
  }
})()
