/** What the bytes of each codec mean, as far as recording and watching need it. Nothing is decoded. */
export {
  AAC_FRAME_SAMPLES,
  type AacConfig,
  aacTrack,
  buildAdts,
  buildAudioSpecificConfig,
  parseAdts,
  parseAudioSpecificConfig,
} from './aac.ts'
export { BitReader, unescapeNal } from './bit-reader.ts'
export { soundFrameTicks } from './frame-duration.ts'
export { G711_RATE, g711Track } from './g711.ts'
export {
  getH264Recovery,
  H264_NAL,
  type H264Sps,
  h264NalType,
  h264Track,
  isH264Slice,
  parseH264Sps,
  startsH264Picture,
} from './h264.ts'
export { makeGreyStart } from './h264-grey.ts'
export {
  getH265Recovery,
  H265_NAL,
  type H265ParameterSets,
  type H265Profile,
  type H265Sps,
  h265CodecString,
  h265NalType,
  h265Track,
  isH265Slice,
  parseH265Sps,
  startsH265Picture,
} from './h265.ts'
export { buildOpusHead, OPUS_RATE, opusPacketSamples, opusTrack } from './opus.ts'
export { packetizeH264, packetizeH265, rtpBytes, rtpClock, type SentPacket } from './rtp-packets.ts'
