// Runs in the page: records when every camera in the window first showed its picture, in milliseconds since the navigation started.
// JavaScript, because the browser gets the file unchanged.
const look = () => {
  const seen = [...document.querySelectorAll('main li canvas')].filter((canvas) => {
    const { top, bottom } = canvas.closest('li').getBoundingClientRect()
    return bottom > 0 && top < innerHeight
  })
  if (seen.length > 0 && seen.every((canvas) => !canvas.hidden)) {
    globalThis.allShownMs = performance.now()
    globalThis.shownCount = seen.length
  } else requestAnimationFrame(look)
}
requestAnimationFrame(look)
