/** What one camera's recording holds. */
export interface CameraRecording {
  readonly pictures: number
  /** From the first picture to the end of the last, by the camera's own clock. */
  readonly seconds: number
  /** 1 unless the recording broke off. */
  readonly pieces: number
}

export interface Total {
  readonly pictures: number
  readonly missing: number
  /** Recordings without a break that are at least as long as was measured. */
  readonly whole: number
}

/** Pictures of these cameras come at a fixed distance, so what is missing can be counted. */
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
