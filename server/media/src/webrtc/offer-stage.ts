/** For tests: what a viewer offers, as far as it is read, and a stream that fits it. */
import type { TrackConfig } from '../frame/index.ts'

/** The viewer's side of ICE in {@link OFFER}. */
export const REMOTE = { ufrag: 'abcd', password: 'p'.repeat(24) }

export const OFFER = [
  'v=0',
  'm=video 9 UDP/TLS/RTP/SAVPF 102',
  'a=recvonly',
  'a=rtcp-mux',
  `a=ice-ufrag:${REMOTE.ufrag}`,
  `a=ice-pwd:${REMOTE.password}`,
  `a=fingerprint:sha-256 ${Array(32).fill('AB').join(':')}`,
  'a=rtpmap:102 H264/90000',
  'a=fmtp:102 packetization-mode=1',
].join('\r\n')

export const H264_TRACK: TrackConfig = {
  kind: 'video',
  codec: 'h264',
  codecString: 'avc1',
  width: 640,
  height: 360,
  parameterSets: [Uint8Array.of(0x67, 0x42, 0, 0x1e), Uint8Array.of(0x68)],
}
