import type { CameraAbilities } from '@sightline/contract/camera-capabilities'
import type { CheckUpFinding } from '@sightline/contract/camera-check-ups'
import type { CameraVideo } from '@sightline/contract/camera-settings'
import type {
  CameraCard,
  CameraCommandAnswer,
  CameraCommandName,
  CameraCommandQuestion,
  CameraCommands,
  CameraNetworkChange,
  CameraUserChange,
  ListedUser,
  MediaPlane,
  NetworkState,
  WifiState,
} from '@sightline/contract/media-plane'

/** Media workers without cameras and footage. */
export const idleMedia: MediaPlane = {
  decodesSound: false,
  makesPictures: true,
  encodes: { sound: true, pictures: true },
  snapshot: async () => ({ kind: 'cameraOffline' }),
  recordedPicture: async () => ({ kind: 'noFootage' }),
  clipEnd: async ({ till }) => till,
  exportedClip: async () => ({ kind: 'noFootage' }),
  command: async () => ({ kind: 'cameraOffline' }),
  talk: async () => ({ kind: 'cameraOffline' }),
  discovery: async () => ({ kind: 'timedOut' }),
  motionPreview: async () => ({ state: 'off', active: false, columns: 32, rows: 18, moving: [], ignored: [] }),
  camerasChanged: () => undefined,
  eventAdded: () => undefined,
}

type Outputs = { readonly [Name in CameraCommandName]?: CameraCommands[Name]['output'] }

/** Of a camera that says nothing. */
export const silentAbilities: CameraAbilities = {
  abilities: {},
  codecs: [],
  resolutions: [],
  services: [],
  information: { brand: '', model: '', firmwareVersion: '', serial: '', ethMacAddress: '' },
}

/** Of a check-up: the card of a camera that has none. */
export const silentFinding: CheckUpFinding = {
  topic: 'card',
  outcome: 'ok',
  reason: 'cardNone',
  measured: null,
  limit: null,
  subject: null,
  fix: null,
}

/** The video of a camera that can be set in most ways. */
export const settableVideo: CameraVideo = {
  resolution: '1920x1080',
  framesPerSecond: 25,
  maxBandwidth: 4000,
  keyframeInterval: 50,
  rotateImage: 0,
  antiFlicker: null,
  backlight: 'off',
  dayNight: 'auto',
  colorNightView: null,
  illumination: null,
  options: {
    resolution: ['1920x1080', '1280x720'],
    framesPerSecond: { min: 1, max: 30 },
    maxBandwidth: { min: 64, max: 8192 },
    keyframeInterval: { min: 1, max: 300 },
    rotateImage: [0, 180],
    backlight: ['off', 'BLC', 'WDR'],
    dayNight: ['auto', 'day', 'night'],
    illumination: ['auto', 'on', 'off'],
  },
  unavailable: { antiFlicker: 'notStandard', colorNightView: 'notStandard' },
}

const testWifi: WifiState = { enabled: true, state: 'disconnected', currentSsid: null, failedSsid: null }

const testNetwork: NetworkState = {
  ipv4: { dhcp: false, address: '192.0.2.7', prefixLength: 24, gateway: '192.0.2.1' },
  dns: { dhcp: true, servers: [] },
  ports: { http: 80, https: null, rtsp: 554 },
  ntp: { enabled: false, dhcp: true, servers: [] },
  unavailable: {},
}

const testUsers: readonly ListedUser[] = [
  { username: 'viewer', level: 'administrator' },
  { username: 'guard', level: 'operator' },
]

const formattableCard: CameraCard = {
  edgeStorageId: 1,
  name: 'SD 1',
  state: 'ok',
  capacityMiB: 60_000,
  usedMiB: 20_000,
  inUse: true,
  formatted: true,
  formattable: true,
  recordedFrom: null,
  recordedUntil: null,
}

/** What a camera answers that can do everything. */
export const obedientOutputs: Outputs = {
  setClock: { kind: 'set', aheadBeforeMs: 180_000, aheadMs: 0 },
  profilePicture: { bytes: Buffer.from('picture') },
  ptz: { kind: 'done' },
  ptzAbilities: {
    panTilt: true,
    zoom: true,
    absolute: true,
    relative: true,
    continuous: true,
    center: true,
    home: true,
    presets: 8,
  },
  focus: null,
  focusAbilities: { continuous: true, relative: true, auto: true, mode: 'auto' },
  ptzPresets: [{ presetId: '1', name: 'Door' }],
  savePtzPreset: { kind: 'saved', preset: { presetId: '1', name: 'Door' } },
  removePtzPreset: { kind: 'removed' },
  readPorts: [
    { portId: 'output-1', direction: 'output', state: 'inactive', pulseSeconds: null },
    { portId: 'input-1', direction: 'input', state: null, pulseSeconds: null },
  ],
  switchPort: { kind: 'switched' },
  readAbilities: silentAbilities,
  tryConnection: {
    kind: 'connected',
    found: { rtspPort: 554, mainPath: '/main', subPath: null, isSecure: false, onvif: null, serial: '' },
  },
  trySignIn: { kind: 'accepted' },
  changePassword: { kind: 'changed' },
  readUsers: testUsers,
  changeUsers: { kind: 'changed', users: [...testUsers, { username: 'night', level: 'operator' }] },
  readEdgeStorage: [formattableCard],
  formatEdgeStorage: null,
  readWifi: testWifi,
  readWifiNetworks: [
    { ssid: 'Home', security: 'psk', signal: 4, known: true, visible: true, current: false },
    { ssid: 'Shop', security: 'psk', signal: 3, known: false, visible: true, current: false },
  ],
  changeWifi: { kind: 'accepted', wifi: { ...testWifi, enabled: false, state: 'disabling' } },
  readNetwork: testNetwork,
  changeNetwork: { kind: 'changed', network: testNetwork },
  readVideoSettings: settableVideo,
  writeVideoSettings: settableVideo,
}

/** Cameras that do what they are asked and answer with these outputs; they support no other command. */
export const obedientCameras = (outputs: Outputs): MediaPlane['command'] =>
  answeringCameras(({ name }) => {
    const output = outputs[name]
    return output === undefined ? { kind: 'unsupported' } : { kind: 'done', output }
  })

/** Answers the commands about networks once they are set. */
function settableNetworks() {
  const networks = new Map<number, NetworkState>()
  return ({ cameraId, name, input }: CameraCommandQuestion<CameraCommandName>) => {
    if (name !== 'changeNetwork') return name === 'readNetwork' ? networks.get(cameraId) : undefined
    const network = { ...testNetwork, ...(input as CameraNetworkChange) } as NetworkState
    networks.set(cameraId, network)
    return { kind: 'changed', network } as const
  }
}

/** Answers the commands about users once they are changed. */
function settableUsers() {
  const lists = new Map<number, readonly ListedUser[]>()
  return ({ cameraId, name, input }: CameraCommandQuestion<CameraCommandName>) => {
    if (name !== 'changeUsers') return name === 'readUsers' ? lists.get(cameraId) : undefined
    const { kind, username, ...change } = input as CameraUserChange
    const before = lists.get(cameraId) ?? testUsers
    const others = before.filter((user) => user.username !== username)
    const level = ('level' in change ? change.level : null) ?? before.find((user) => user.username === username)?.level
    const users = kind === 'remove' ? others : [...others, { username, level: level ?? 'user' }]
    lists.set(cameraId, users)
    return { kind: 'changed', users } as const
  }
}

/** Cameras that keep what they are set to, and do the rest as {@link obedientCameras}. */
export function settableCameras(outputs: Outputs = {}): MediaPlane['command'] {
  const wifis = new Map<number, WifiState>()
  const kept = [settableNetworks(), settableUsers()]
  const videos = new Map<number, CameraVideo>()
  const obedient = obedientCameras(outputs)
  const videoOf = (cameraId: number): CameraVideo => videos.get(cameraId) ?? settableVideo
  return async <Name extends CameraCommandName>(question: CameraCommandQuestion<Name>) => {
    const { cameraId, name } = question
    if (name === 'writeVideoSettings') {
      const input = question.input as CameraCommands['writeVideoSettings']['input']
      videos.set(cameraId, { ...videoOf(cameraId), ...input })
    }
    const output = kept.map((answer) => answer(question)).find((one) => one !== undefined)
    if (output !== undefined) return { kind: 'done', output } as CameraCommandAnswer<Name>
    if (name === 'changeWifi') {
      const enabled = (question.input as CameraCommands['changeWifi']['input']).kind !== 'disable'
      wifis.set(cameraId, { ...testWifi, enabled, state: enabled ? 'enabling' : 'disabling' })
    }
    if (name === 'readWifi' && wifis.has(cameraId))
      return { kind: 'done', output: wifis.get(cameraId) } as CameraCommandAnswer<Name>
    if (name !== 'readVideoSettings' && name !== 'writeVideoSettings') return await obedient(question)
    return { kind: 'done', output: videoOf(cameraId) } as CameraCommandAnswer<Name>
  }
}

/** Cameras whose answer to each command the test chooses. */
export function answeringCameras(
  answer: (question: CameraCommandQuestion) => CameraCommandAnswer,
): MediaPlane['command'] {
  // The test chose the answer that belongs to the name of the command.
  return async <Name extends CameraCommandName>(question: CameraCommandQuestion<Name>) =>
    answer(question as CameraCommandQuestion) as CameraCommandAnswer<Name>
}
