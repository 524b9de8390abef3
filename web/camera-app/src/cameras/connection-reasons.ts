import type { ConnectionResult } from '@sightline/contract/cameras'
import type { Text } from '../text.ts'

/** Why a camera isn't connected, and what to do about it. */
export const connectionReasons: Readonly<Record<Exclude<ConnectionResult, 'ok' | 'neverConnected'>, Text>> = {
  credentialsIncorrect: 'The camera rejected the user name or password.',
  timeout: 'The camera stopped sending video.',
  unreachable: "The camera doesn't respond. Check its power, its network and the address.",
  addressNotAllowed: 'Cameras in this network are not allowed. Ask your provider to allow the network.',
  authenticationNotSupported:
    'The camera would send its password in plain text. Turn on digest authentication in its settings.',
  streamNotFound: 'The camera has no stream at this path. Check the stream path.',
  redirected: 'The camera refers to another address. Add the camera with that address.',
  transportNotSupported: 'The camera offers no supported way to send video. Turn on RTSP over TCP in its settings.',
  codecNotSupported: 'The camera sends an unsupported video format. Choose H.264 or H.265 in its settings.',
  noVideo: 'The camera sends no video.',
  noPicture: 'Too much video is lost on the way. Check the network between the camera and the server.',
  connectionLost: 'The connection to the camera was lost.',
  cameraBusy: 'The camera serves too many viewers. Close other connections to it.',
  certificateChanged:
    'The camera has another certificate than when it was added. If you changed it, remove the camera and add it again.',
  serverOverloaded: 'The server has more cameras than it can record. Contact your provider.',
  protocolError: 'The camera sent an unexpected response. Restart it or update its firmware.',
}
