import * as z from 'zod/mini'

/** A file of footage: `https://host/stream/mp4/open?camera_id=…&ticket=…[&name=…]`. */
export const CLIP_PATH = '/stream/mp4/open'

/** A short video of a day: `https://host/stream/summary/open?camera_id=…&ticket=…[&pictures=1|&download=1]`. */
export const SUMMARY_PATH = '/stream/summary/open'

/**
 * A camera's live and recorded video:
 * `wss://host/stream/mse/open?camera_id=…&ticket=…[&time=…][&stream=sub][&media_times=wallclock][&pictures=keys]`.
 */
export const MSE_PATH = '/stream/mse/open'

/** Everything that players of HLS ask for is below it. */
export const HLS_FOLDER = '/stream/hls/'

/**
 * Where HLS begins (RFC 8216): `https://host/stream/hls/getPlaylist?camera_id=…&ticket=…[&from=…[&till=…]][&stream=sub][&low_latency=1]`.
 * The playlist names the addresses of everything else.
 */
export const HLS_PATH = `${HLS_FOLDER}getPlaylist`

/**
 * Live pictures as Motion JPEG: `https://host/stream/jpeg/open?camera_id=…&ticket=…[&stream=main][&width=640]`. The reply is
 * `multipart/x-mixed-replace` and lasts as long as the stream.
 */
export const JPEG_PATH = '/stream/jpeg/open'

/** The same pictures; existing clients know both addresses. */
export const MULTIPART_PATH = '/stream/multipart/open'

/** The same, with the sound between the pictures as parts of the type `audio/basic` (RFC 2046 §4.3). */
export const MULTIPART_AUDIO_PATH = '/stream/multipartaudio/open'

/** Widths in pixels of pictures in a stream of JPEGs; the height follows. Pictures are never larger than the camera sends them. */
export const PICTURE_WIDTHS = [320, 640, 1280] as const

export const isPictureStream = (path: string): boolean =>
  path === JPEG_PATH || path === MULTIPART_PATH || path === MULTIPART_AUDIO_PATH

/** One picture, of now or of a time: `https://host/stream/snapshot/open?camera_id=…&ticket=…[&width=640]`. */
export const SNAPSHOT_PATH = '/stream/snapshot/open'

/**
 * Live and recorded video over RTSP 1.0 (RFC 2326), in TCP only:
 * `rtsp://host:port/stream/rtsp/open?camera_id=…&ticket=…[&from=…[&till=…]][&stream=sub]`.
 */
export const RTSP_PATH = '/stream/rtsp/open'

/**
 * Live video over WebRTC for players of WHEP: a POST with an offer to `https://host/stream/whep/open?camera_id=…&ticket=…[&stream=sub]`. The
 * reply names an address below it, and a DELETE there ends the stream.
 */
export const WHEP_PATH = '/stream/whep/open'
export const WHEP_SESSION_PATH = '/stream/whep/session'

export const isWhep = (path: string): boolean => path === WHEP_PATH || path === WHEP_SESSION_PATH

/** What is answered over HTTP; all other streams open as WebSockets. */
export const isHttpStream = (path: string): boolean =>
  path === CLIP_PATH ||
  path === SUMMARY_PATH ||
  path === SNAPSHOT_PATH ||
  path.startsWith(HLS_FOLDER) ||
  isWhep(path) ||
  isPictureStream(path)

/**
 * Media times of recordings: `continuous` ones skip gaps, for MediaSource. `wallclock` ones are seconds since 1970, so that gaps keep
 * their length and several cameras can be shown by one clock.
 */
export const mediaTimes = z.enum(['continuous', 'wallclock'])
export type MediaTimes = z.infer<typeof mediaTimes>

/** The pictures of recordings: all of them up to a rate of four, or only key pictures, which any device can show many of. */
export const sentPictures = z.enum(['all', 'keys'])
export type SentPictures = z.infer<typeof sentPictures>
