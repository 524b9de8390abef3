/** Calls that change the settings of a camera, each with a request that is valid. For tests. */
type CameraRequest = (of: { readonly cameraId: number }) => readonly [request: string, body?: unknown]

export const oneMobileNetwork = {
  name: 'Fleet',
  accessPointName: 'internet.example',
  userName: 'gprs',
  needsPassword: true,
  mobileCountryCode: '310',
  mobileNetworkCode: '260',
}

export const cameraSettingCalls: Readonly<Record<string, CameraRequest>> = {
  patchCamera: ({ cameraId }) => [`PATCH cameras/${cameraId}`, { name: 'Till' }],
  patchCameraLocation: ({ cameraId }) => [
    `PATCH cameras/${cameraId}/location`,
    { latitude: '52.01', longitude: '4.36' },
  ],
  putCameraMaintenance: ({ cameraId }) => [`PUT devices/${cameraId}/maintenance`, { enabled: true }],
  refreshCameraCapabilities: ({ cameraId }) => [`POST cameras/${cameraId}/capabilities`],
  patchVideoSettings: ({ cameraId }) => [`PATCH cameras/${cameraId}/settings/video`, { framesPerSecond: 10 }],
  patchCameraConnection: ({ cameraId }) => [
    `PATCH cameras/${cameraId}/connection/details`,
    { localIp: '192.0.2.70', localPort: 555 },
  ],
  patchCameraCredentials: ({ cameraId }) => [
    `PATCH cameras/${cameraId}/connection/credentials`,
    { username: 'operator', password: 'other' },
  ],
  patchAudioSettings: ({ cameraId }) => [`PATCH cameras/${cameraId}/settings/audio`, { microphone: false }],
  patchPirDetector: ({ cameraId }) => [`PATCH cameras/${cameraId}/detectors/pir`, { inputs: ['input-1'] }],
  patchCameraWifi: ({ cameraId }) => [`PATCH cameras/${cameraId}/wifi`, { enabled: false }],
  putWifiNetwork: ({ cameraId }) => [`PUT cameras/${cameraId}/wifi/networks/Shop`, { password: 'a password' }],
  deleteWifiNetwork: ({ cameraId }) => [`DELETE cameras/${cameraId}/wifi/networks/Shop`],
  postCameraUser: ({ cameraId }) => [
    `POST cameras/${cameraId}/connection/users`,
    { username: 'night', password: 'another one', level: 'operator', allowPlainText: true },
  ],
  patchCameraUser: ({ cameraId }) => [`PATCH cameras/${cameraId}/connection/users/guard`, { level: 'user' }],
  deleteCameraUser: ({ cameraId }) => [`DELETE cameras/${cameraId}/connection/users/guard`],
  patchCameraNetwork: ({ cameraId }) => [
    `PATCH cameras/${cameraId}/network`,
    { dns: { dhcp: false, servers: ['192.0.2.53'] } },
  ],
  setCameraClock: ({ cameraId }) => [`POST cameras/${cameraId}/clock`],
  formatEdgeStorage: ({ cameraId }) => [`POST cameras/${cameraId}/edgeStorage/1/format`],
  patchCloudSync: ({ cameraId }) => [`PATCH cameras/${cameraId}/cloudSync`, { enabled: false }],
  patchCameraMode: ({ cameraId }) => [`PATCH cameras/${cameraId}/mode`, { mode: 'silent' }],
  patchVideoDetector: ({ cameraId }) => [`PATCH cameras/${cameraId}/detectors/video`, { sensitivity: 70 }],
  patchAudioDetector: ({ cameraId }) => [`PATCH cameras/${cameraId}/detectors/audio`, { sensitivity: 70 }],
  putDetectionAreas: ({ cameraId }) => [
    `PUT cameras/${cameraId}/detectors/video/areas`,
    [
      {
        areaId: 1,
        kind: 'exclusion',
        points: [
          [0, 0],
          [1, 0],
          [1, 0.2],
        ],
        enabled: true,
      },
    ],
  ],
  putCameraSchedule: ({ cameraId }) => [`PUT cameras/${cameraId}/schedule`, { recording: [], push: [], email: [] }],
  deleteCameraSchedule: ({ cameraId }) => [`DELETE cameras/${cameraId}/schedule`],
}
