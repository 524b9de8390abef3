import { readPictures, readSetup, type VideoSetup } from './fragments.ts'
import type { InitMessage, PictureSink, SinkEvents } from './sink.ts'

const MICROSECONDS = 1_000_000
/** A decoder so far behind will not catch up; it is better to wait for the next key picture. */
const MOST_WAITING = 60

/** Whether this browser decodes `codec` by WebCodecs; false without a secure context, where there is no VideoDecoder. */
export async function canDecode(codec: string): Promise<boolean> {
  if (typeof VideoDecoder === 'undefined') return false
  try {
    return (await VideoDecoder.isConfigSupported({ codec, optimizeForLatency: true })).supported === true
  } catch {
    return false
  }
}

/** Draws each picture as soon as it is decoded: the least delay there is, for live pictures without sound. */
export function codecSink(canvas: HTMLCanvasElement, events: SinkEvents): PictureSink {
  const context = canvas.getContext('2d', { alpha: false, desynchronized: true })
  let decoder: VideoDecoder | undefined
  let setup: VideoSetup | undefined
  let needsKey = true
  let paused = false

  const show = (frame: VideoFrame) => {
    if (!paused && context !== null) {
      if (canvas.width !== frame.displayWidth) canvas.width = frame.displayWidth
      if (canvas.height !== frame.displayHeight) canvas.height = frame.displayHeight
      context.drawImage(frame, 0, 0)
      events.onPicture({ mediaTime: frame.timestamp / MICROSECONDS })
    }
    frame.close()
  }

  const open = (codec: string, description: Uint8Array): VideoDecoder => {
    const opened = new VideoDecoder({
      output: show,
      error: (error) => {
        if (decoder === opened) events.onFailure('decoder', error.message)
      },
    })
    opened.configure({ codec, description, optimizeForLatency: true })
    return opened
  }

  return {
    kind: 'webcodecs',
    begin(init: InitMessage, segment) {
      setup = readSetup(segment)
      if (setup === undefined) return events.onFailure('unsupported', 'the stream has no video track')
      if (decoder?.state === 'configured') decoder.close()
      needsKey = true
      try {
        decoder = open(init.codec, setup.description)
      } catch (error) {
        events.onFailure('unsupported', error instanceof Error ? error.message : String(error))
      }
    },
    push(fragment) {
      if (setup === undefined || decoder?.state !== 'configured') return
      for (const picture of readPictures(fragment, setup.trackId)) {
        if (decoder.decodeQueueSize > MOST_WAITING) needsKey = true
        if (needsKey && !picture.isKey) continue
        needsKey = false
        decoder.decode(
          new EncodedVideoChunk({
            type: picture.isKey ? 'key' : 'delta',
            timestamp: Math.round((picture.time * MICROSECONDS) / setup.timeScale),
            data: picture.data,
          }),
        )
      }
    },
    toSinkTime: (streamTime) => streamTime,
    setPaused(next) {
      paused = next
    },
    setRate() {
      // Live pictures are shown as they come; only recorded ones have a rate.
    },
    close() {
      if (decoder !== undefined && decoder.state !== 'closed') decoder.close()
      decoder = undefined
    },
  }
}
