import { expect, test } from 'vitest'
import type { Right } from '../rights/index.ts'
import { allRoutes } from './index.ts'

/**
 * The calls that each right about cameras opens. Rights that only decide about a part of a request or a reply have none:
 * slices of the API test those (video settings, modes, local addresses).
 */
const callsOf: readonly (readonly [Right, readonly string[]])[] = [
  ['ptz', ['deletePtzPreset', 'getPtzPresets', 'moveCamera', 'moveFocus', 'postPtzPreset']],
  ['addPnpCamera', ['getCameraDiscovery', 'getSetupCode', 'postSetupCode', 'startCameraDiscovery']],
  [
    'addCameraManually',
    ['getCameraReplacement', 'postCameraReplacement', 'postChannelCamera', 'undoCameraReplacement'],
  ],
  ['deleteCamera', ['deleteCamera', 'deleteDevice']],
  ['editSchedule', ['deleteCameraSchedule', 'putCameraSchedule', 'putZoneSchedule']],
  ['motionDetection', ['getMotionPreview', 'patchVideoDetector', 'putDetectionAreas']],
  ['audioPIR', ['patchAudioDetector', 'patchPirDetector']],
  ['edgeStorageManagement', ['formatEdgeStorage', 'getCloudSync', 'getEdgeStorage', 'getSyncJobs', 'patchCloudSync']],
  ['deviceIORead', ['getCameraPort', 'getCameraPorts']],
  // Of the ports that it lists, it leaves out the inputs.
  ['deviceIOWrite', ['getCameraPort', 'getCameraPorts', 'patchCameraPort']],
  ['cameraExposureControl', []],
  ['cameraPrivacyButton', []],
  ['cameraIllumination', []],
  ['localExceptions', []],
]

test.each(callsOf)('%s opens exactly the calls that it names', (right, calls) => {
  const opened = allRoutes
    .filter((route) => ('right' in route && route.right === right) || ('orRight' in route && route.orRight === right))
    .map(({ name }) => name)
  expect(opened.sort()).toEqual(calls)
})
