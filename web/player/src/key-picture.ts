import { canDecode } from './codec-sink.ts'
import { readSamples, readSetup } from './fragments.ts'

/** The space in device pixels; a picture is drawn no larger than needed to fill it. */
export interface Room {
  readonly width: number
  readonly height: number
}

/**
 * Draws a key picture. It is one MP4 sample, so that snapshots need no decoder on the server, or an image if the server
 * decoded it to blur it. Uses WebCodecs if available, else a video element. Rejects if this browser can't decode it.
 */
export async function drawKeyPicture(canvas: HTMLCanvasElement, picture: Blob, room: Room): Promise<void> {
  const drawn = picture.type.startsWith('image/') ? await image(picture) : await sample(picture)
  // A full-size picture takes megabytes, and a list has hundreds of them.
  const scale = Math.min(1, Math.max(room.width / drawn.width, room.height / drawn.height))
  const width = Math.max(1, Math.round(drawn.width * scale))
  const height = Math.max(1, Math.round(drawn.height * scale))
  const small = await drawn.copy?.({ width, height })
  Object.assign(canvas, { width, height })
  const context = canvas.getContext('2d')
  if (context !== null) {
    context.imageSmoothingQuality = 'high'
    context.drawImage(small ?? drawn.source, 0, 0, width, height)
  }
  small?.close()
  drawn.free()
}

/** Pixels of one frame, for all frames one after another: a new buffer of megabytes for each is collected far too late. */
let pixels = new Uint8ClampedArray()
let last: Promise<unknown> = Promise.resolve()

/**
 * Without a graphics card, Chromium keeps the pixels of every frame that was drawn, up to half a gigabyte; those of a copy are gone.
 * Undefined if this browser can't convert frames.
 */
async function smallCopy(frame: VideoFrame, size: Room): Promise<ImageBitmap | undefined> {
  const copy = last.then(() => copyPixels(frame, size)).catch(() => undefined)
  last = copy
  return copy
}

async function copyPixels(frame: VideoFrame, { width, height }: Room): Promise<ImageBitmap> {
  const format = 'RGBA'
  const length = frame.allocationSize({ format })
  if (pixels.length !== length) pixels = new Uint8ClampedArray(length)
  await frame.copyTo(pixels, { format })
  const image = new ImageData(pixels, frame.visibleRect?.width ?? frame.codedWidth)
  return createImageBitmap(image, { resizeWidth: width, resizeHeight: height, resizeQuality: 'high' })
}

async function image(picture: Blob): Promise<Drawn> {
  const source = await createImageBitmap(picture)
  return { source, width: source.width, height: source.height, free: () => source.close() }
}

async function sample(mp4: Blob): Promise<Drawn> {
  const bytes = new Uint8Array(await mp4.arrayBuffer())
  const setup = readSetup(bytes)
  const picture = setup === undefined ? undefined : readSamples(bytes, setup.trackId)[0]
  if (setup === undefined || picture === undefined) throw new Error('the snapshot holds no picture')
  const codec = codecOf(setup.description)
  return (await canDecode(codec)) ? decode({ codec, description: setup.description, data: picture.data }) : play(mp4)
}

interface Drawn {
  readonly source: CanvasImageSource
  readonly width: number
  readonly height: number
  /** A copy of that size, if there is a better one than the canvas makes. */
  copy?(size: Room): Promise<ImageBitmap | undefined>
  free(): void
}

/** The RFC 6381 name of an avcC record: its bytes 1 to 3 are profile, compatibility and level. */
const codecOf = (description: Uint8Array): string =>
  `avc1.${[...description.subarray(1, 4)].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`

function decode(given: { codec: string; description: Uint8Array; data: Uint8Array }): Promise<Drawn> {
  return new Promise((resolve, reject) => {
    const decoder = new VideoDecoder({
      output: (frame) => {
        const { displayWidth: width, displayHeight: height } = frame
        resolve({ source: frame, width, height, copy: (size) => smallCopy(frame, size), free: () => frame.close() })
      },
      error: reject,
    })
    decoder.configure({ codec: given.codec, description: given.description })
    decoder.decode(new EncodedVideoChunk({ type: 'key', timestamp: 0, data: given.data }))
    decoder
      .flush()
      .then(() => decoder.close())
      .catch(reject)
  })
}

function play(mp4: Blob): Promise<Drawn> {
  const address = URL.createObjectURL(mp4)
  const video = document.createElement('video')
  video.muted = true
  video.src = address
  return new Promise((resolve, reject) => {
    const free = () => URL.revokeObjectURL(address)
    video.addEventListener('loadeddata', () => {
      resolve({ source: video, width: video.videoWidth, height: video.videoHeight, free })
    })
    video.addEventListener('error', () => {
      free()
      reject(new Error(video.error?.message ?? 'the snapshot could not be decoded'))
    })
  })
}
