/** Live video by WebRTC for one viewer after another: sessions, ICE, DTLS and SRTP, as far as a sender needs them; nothing is decoded. */
export { type ChosenTracks, chooseTracks } from './answer.ts'
export { MAX_OFFER_BYTES, type Offer, readOffer } from './offer.ts'
export { openWebRtcPort, type WebRtcPort, type WebRtcPortOptions } from './udp-port.ts'
export type { WebRtcViewer } from './viewer.ts'
