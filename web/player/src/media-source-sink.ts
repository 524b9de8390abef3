import { firstTime, readSetup } from './fragments.ts'
import type { InitMessage, PictureSink, SinkEvents } from './sink.ts'

/** Seconds of played footage that stay in memory for a step back. */
const KEPT_BEHIND = 30
/** Live: beyond this delay the picture jumps to the newest one; below it plays a little faster. */
const JUMP_BEHIND = 1
const CHASE_BEHIND = 0.25

interface Joined {
  readonly init: Uint8Array
  readonly mime: string
  readonly fresh: boolean
}
type Work = { readonly kind: 'begin'; readonly begin: Joined } | { readonly kind: 'append'; readonly bytes: Uint8Array }

export interface MediaSourceSinkOptions {
  readonly events: SinkEvents
  /** Live pictures chase the newest one; recorded ones play at the rate that was asked for. */
  readonly chaseLiveEdge: boolean
}

/** Feeds a video element. Work waits in one queue, because a SourceBuffer takes one thing at a time. */
export function mediaSourceSink(
  video: HTMLVideoElement,
  { events, chaseLiveEdge }: MediaSourceSinkOptions,
): PictureSink {
  const source = new MediaSource()
  const address = URL.createObjectURL(source)
  video.src = address
  let buffer: SourceBuffer | undefined
  let waiting: Work[] = []
  let trackId: number | undefined
  let timeScale = 1
  let offset = 0
  /** What the first fragment after a `begin` does: start there, or go on after what is in the buffer. */
  let placing: 'start' | 'join' | undefined
  let paused = false
  let rate = 1
  let closed = false

  const bufferedEnd = () =>
    buffer !== undefined && buffer.buffered.length > 0 ? buffer.buffered.end(buffer.buffered.length - 1) : 0

  const run = (work: Work): void => {
    if (work.kind === 'begin') return start(work.begin)
    if (buffer === undefined) return
    place(work.bytes)
    buffer.appendBuffer(work.bytes as Uint8Array<ArrayBuffer>)
  }

  const start = ({ init, mime, fresh }: Joined): void => {
    if (!MediaSource.isTypeSupported(mime)) return events.onFailure('unsupported', mime)
    const setup = readSetup(init)
    trackId = setup?.trackId
    timeScale = setup?.timeScale ?? 1
    if (buffer === undefined) {
      buffer = source.addSourceBuffer(mime)
      buffer.addEventListener('updateend', next)
    } else {
      buffer.abort()
      buffer.changeType(mime)
    }
    placing = fresh ? 'start' : 'join'
    waiting.unshift({ kind: 'append', bytes: init })
    // Removing is asynchronous too; its end takes up the queue again.
    if (fresh && buffer.buffered.length > 0) buffer.remove(0, Number.POSITIVE_INFINITY)
    else next()
  }

  /** Before the first fragment after a `begin`: decide where on the video's time line it lands. */
  const place = (bytes: Uint8Array): void => {
    if (placing === undefined || trackId === undefined || buffer === undefined) return
    const first = firstTime(bytes, trackId)
    if (first === undefined) return
    const streamTime = first / timeScale
    if (placing === 'join') {
      offset = bufferedEnd() - streamTime
    } else {
      offset = 0
      video.currentTime = streamTime
    }
    buffer.timestampOffset = offset
    placing = undefined
  }

  const next = (): void => {
    if (closed || source.readyState !== 'open' || buffer?.updating === true) return
    if (buffer !== undefined && video.currentTime - KEPT_BEHIND > 5 && buffer.buffered.length > 0) {
      const until = video.currentTime - KEPT_BEHIND
      if (buffer.buffered.start(0) < until - 5) return buffer.remove(0, until)
    }
    const work = waiting.shift()
    if (work === undefined) return keepUp()
    try {
      run(work)
    } catch (error) {
      events.onFailure('decoder', error instanceof Error ? error.message : String(error))
    }
  }

  const keepUp = (): void => {
    if (paused) return
    if (video.paused) void video.play().catch(() => undefined)
    if (!chaseLiveEdge) return
    const behind = bufferedEnd() - video.currentTime
    if (behind > JUMP_BEHIND) video.currentTime = bufferedEnd() - 0.1
    video.playbackRate = behind > CHASE_BEHIND ? 1.15 : 1
  }

  const onFrame = (_now: number, frame: VideoFrameCallbackMetadata) => {
    if (closed) return
    events.onPicture({ mediaTime: frame.mediaTime })
    video.requestVideoFrameCallback(onFrame)
  }
  video.requestVideoFrameCallback(onFrame)
  const onError = () => {
    if (!closed) events.onFailure('decoder', video.error?.message ?? 'the browser could not play the stream')
  }
  video.addEventListener('error', onError)
  source.addEventListener('sourceopen', next)

  return {
    kind: 'mse',
    begin(init: InitMessage, segment, fresh) {
      if (fresh) waiting = []
      waiting.push({ kind: 'begin', begin: { init: segment, mime: init.mime, fresh } })
      next()
    },
    push(fragment) {
      waiting.push({ kind: 'append', bytes: fragment })
      next()
    },
    toSinkTime: (streamTime) => streamTime + offset,
    setPaused(wanted) {
      paused = wanted
      if (paused) video.pause()
      else void video.play().catch(() => undefined)
    },
    setRate(wanted) {
      rate = wanted
      video.playbackRate = rate
      // A new source resets the rate to this one.
      video.defaultPlaybackRate = rate
    },
    close() {
      closed = true
      waiting = []
      video.removeEventListener('error', onError)
      video.removeAttribute('src')
      video.load()
      URL.revokeObjectURL(address)
    },
  }
}
