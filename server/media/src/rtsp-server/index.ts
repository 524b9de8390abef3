/** Video for clients that speak RTSP 1.0 (RFC 2326): requests, session descriptions, and RTP in the same connection; nothing is decoded. */
export { type OpenedStream, type RtspError, type RtspOptions, serveRtsp } from './serve-rtsp.ts'
