/** How live pictures leave for viewers. */
export { type LiveEnd, type LiveEndCode, type LiveLimits, type LiveSocketOptions, serveLive } from './live-socket.ts'
