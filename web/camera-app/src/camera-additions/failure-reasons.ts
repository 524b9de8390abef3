import type { AdditionSubStatus } from '@sightline/contract/camera-additions'
import type { Text } from './text.ts'

/** What went wrong with an addition, and what to do about it. */
export const failureReasons: Readonly<Record<AdditionSubStatus, Text>> = {
  none: "The camera couldn't be added. Check the details and try again.",
  unknown: "The camera couldn't be added. Check the details and try again.",
  deviceOffline: "The camera doesn't respond. Check its power, its network and the address.",
  credentialsIncorrect: 'The camera rejected the user name or password.',
  alreadyAttached: 'The camera belongs to another account. Remove it there first.',
  unsupportedDevice:
    'A device responds, but it offers no video that can be recorded. Enter its stream path under More options, or switch on ONVIF and H.264 or H.265 in its settings.',
  addressNotAllowed: 'Cameras in this network are not allowed. Ask your provider to allow the network.',
  firmwareUpgrading: 'The camera is updating its firmware. Try again when it has finished.',
  cloudUnreachable: "The camera doesn't respond. Check its power, its network and the address.",
}
