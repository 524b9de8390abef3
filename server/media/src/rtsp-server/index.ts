/** Video for clients that speak RTSP 1.0 (RFC 2326): requests, session descriptions, and RTP in the same connection; nothing is decoded. */
export type { RecordedFootage } from './recorded-units.ts'
export { answerToServerOptions } from './rtsp-answer.ts'
export type { OpenedStream, RtspError } from './rtsp-client.ts'
export { type RtspOptions, serveRtsp } from './serve-rtsp.ts'
