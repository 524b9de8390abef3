/** HLS and low-latency HLS (RFC 8216, draft-pantos-hls-rfc8216bis): live from the hub, recorded from segments; nothing is decoded. */
export { type LivePackager, livePackager } from './live-packager.ts'
export { type PieceAddresses, variantPlaylist } from './playlist-text.ts'
export { type RecordedList, type RecordedQuery, recordedList } from './recorded-list.ts'
