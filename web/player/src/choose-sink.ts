import { CodecSink, canDecode } from './codec-sink.ts'
import type { Screen } from './screen.ts'
import type { PictureSink, SinkEvents } from './sink.ts'

export interface WantedSink {
  readonly use: 'live' | 'playback'
  readonly screen: Screen
  /** As RFC 6381 names it. */
  readonly codec: string
  readonly pictures: 'all' | 'keys'
}

/** Live pictures are drawn on the canvas as soon as they are decoded, where the browser can do that. Else a video element plays. */
export async function chooseSink(
  { use, screen, codec, pictures }: WantedSink,
  events: (isOnCanvas: boolean) => SinkEvents,
): Promise<PictureSink> {
  if (use === 'live' && (await canDecode(codec))) return new CodecSink(screen.canvas, events(true), pictures)
  // Few browsers need it.
  const { MediaSourceSink } = await import('./media-source-sink.ts')
  return new MediaSourceSink(screen.video, { events: events(false), chaseLiveEdge: use === 'live' })
}
