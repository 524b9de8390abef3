// Runs in a page that has nothing but a video element.
const video = document.querySelector('video')
const GIVE_UP_MS = 10_000

/** Jumps to a time of the file, in seconds; milliseconds until its picture was handed to the screen. */
globalThis.benchJump = (wanted) => {
  const begun = performance.now()
  return new Promise((done, failed) => {
    const { duration, readyState } = video
    setTimeout(() => failed(new Error(`no picture at ${wanted} of ${duration} s, state ${readyState}`)), GIVE_UP_MS)
    // A picture from before the jump may still come.
    const next = (now, { mediaTime }) => {
      if (Math.abs(mediaTime - wanted) < 1) done(now - begun)
      else video.requestVideoFrameCallback(next)
    }
    video.requestVideoFrameCallback(next)
    video.currentTime = wanted
  })
}

globalThis.benchPlay = (isPlaying) => (isPlaying ? video.play() : video.pause())
