/** The canvas above the video element; it is hidden while the video element shows the pictures. */
export interface Screen {
  readonly canvas: HTMLCanvasElement
  readonly video: HTMLVideoElement
}

/** Copies the video element's picture to the canvas, before the element loses it. */
export function freeze({ canvas, video }: Screen): void {
  if (video.videoWidth === 0) return
  canvas.width = video.videoWidth
  canvas.height = video.videoHeight
  canvas.getContext('2d', { alpha: false })?.drawImage(video, 0, 0)
  canvas.hidden = false
}

/** What is on the screen: the canvas, or the video element while that is used. */
export const shownElement = ({ canvas, video }: Screen): HTMLCanvasElement | HTMLVideoElement =>
  canvas.hidden ? video : canvas

/** The current picture as a full-size PNG; undefined if there is none. */
export async function capturePicture(shown: HTMLCanvasElement | HTMLVideoElement): Promise<Blob | undefined> {
  const isVideo = shown instanceof HTMLVideoElement
  const width = isVideo ? shown.videoWidth : shown.width
  const height = isVideo ? shown.videoHeight : shown.height
  if (width === 0) return undefined
  const copy = document.createElement('canvas')
  copy.width = width
  copy.height = height
  copy.getContext('2d')?.drawImage(shown, 0, 0)
  return new Promise((resolve) => copy.toBlob((blob) => resolve(blob ?? undefined), 'image/png'))
}
