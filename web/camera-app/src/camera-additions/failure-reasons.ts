import type { AdditionSubStatus } from '@sightline/contract/camera-additions'
import type { Text } from './text.ts'

/** What went wrong with an addition, and what to do about it. */
export const failureReasons: Readonly<Record<AdditionSubStatus, Text>> = {
  none: "Couldn't add the camera. If the problem persists, contact support.",
  unknown: "Couldn't add the camera. If the problem persists, contact support.",
  deviceOffline:
    "The camera doesn't respond. Check its power, its internet connection and the address, then try again.",
  credentialsIncorrect:
    "The camera rejected the user name or password. If you don't know them, reset the camera to factory settings.",
  alreadyAttached: 'Remove the camera from its current account first, then add it again.',
  recentlyRemoved: 'This camera was removed less than two minutes ago. Wait two minutes, then add it again.',
  unsupportedDevice:
    "The camera couldn't be identified or isn't supported. Enter its stream path, or switch on ONVIF and H.264 or H.265 in its settings.",
  deviceError: 'The camera reported a problem. Restart it or reset it to factory settings, then try again.',
  addressNotAllowed:
    'Cameras in this network are not allowed yet. The person who runs this server can allow the network with the setting SIGHTLINE_CAMERA_NETWORKS.',
  firmwareUpgrading: 'The camera is updating its firmware. Try again when it has finished.',
  cloudUnreachable: "The camera can't be recorded right now. If the problem persists, contact support.",
}
