/** One camera's recording. */
export interface CameraRecording {
  readonly pictures: number
  /** Duration from the first picture to the end of the last, by the camera's clock. */
  readonly seconds: number
  /** 1 unless the recording was interrupted. */
  readonly pieces: number
}

export interface Total {
  readonly pictures: number
  readonly missing: number
  /** Number of uninterrupted recordings that cover the measured time. */
  readonly whole: number
}

/** These cameras have a fixed frame rate, so missing pictures can be counted. */
export function computeTotal(cameras: readonly CameraRecording[], given: { fps: number; seconds: number }): Total {
  let pictures = 0
  let expected = 0
  for (const camera of cameras) {
    pictures += camera.pictures
    expected += Math.round(camera.seconds * given.fps)
  }
  const whole = cameras.filter((camera) => camera.pieces === 1 && camera.seconds >= given.seconds).length
  return { pictures, missing: expected - pictures, whole }
}
