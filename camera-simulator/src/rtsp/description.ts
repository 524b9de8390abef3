import { AUDIO_PAYLOAD_TYPE } from '../clip/audio-clip.ts'
import { VIDEO_PAYLOAD_TYPE } from '../clip/video-clip.ts'
import { type LiveStream, VIDEO_TICKS_PER_SECOND } from '../live/live-stream.ts'

/** Last part of the control addresses: what SETUP names. */
export const trackNames = { video: 'track1', audio: 'track2', back: 'track3' } as const

/** Session description (RFC 4566) of a stream: H.264 by RFC 6184 §8.2.1, AAC by RFC 3640 §4.1. */
export function describeStream(stream: LiveStream, name: string): string {
  const { clip, audio } = stream
  const sets = [clip.sps, clip.pps].map((set) => set.toString('base64')).join(',')
  const lines = [
    'v=0',
    `o=- ${Math.floor(stream.epoch)} 1 IN IP4 0.0.0.0`,
    `s=${name.replaceAll(/[\r\n]/g, ' ')}`,
    'c=IN IP4 0.0.0.0',
    't=0 0',
    'a=control:*',
    'a=range:npt=now-',
    `m=video 0 RTP/AVP ${VIDEO_PAYLOAD_TYPE}`,
    `a=rtpmap:${VIDEO_PAYLOAD_TYPE} H264/${VIDEO_TICKS_PER_SECOND}`,
    `a=fmtp:${VIDEO_PAYLOAD_TYPE} packetization-mode=1; profile-level-id=${clip.profileLevel}; sprop-parameter-sets=${sets}`,
    `a=framerate:${clip.framesPerSecond}`,
    `a=control:${trackNames.video}`,
  ]
  if (audio !== undefined) {
    lines.push(
      `m=audio 0 RTP/AVP ${AUDIO_PAYLOAD_TYPE}`,
      `a=rtpmap:${AUDIO_PAYLOAD_TYPE} mpeg4-generic/${audio.sampleRate}/${audio.channels}`,
      `a=fmtp:${AUDIO_PAYLOAD_TYPE} streamtype=5; profile-level-id=1; mode=AAC-hbr; sizelength=13; indexlength=3; indexdeltalength=3; config=${audio.config.toString('hex')}`,
      `a=control:${trackNames.audio}`,
    )
  }
  return `${lines.join('\r\n')}\r\n`
}
